//go:build !linux

package fragment

type folder struct{}

func (w *walker) walk(root string) error { return w.walkAnywhere(root) }
