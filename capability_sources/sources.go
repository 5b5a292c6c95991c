// Package sources holds the fragments of this folder as the binary carries them:
// the rules that say what rows can do. Where no other sources are named, they are
// the bundled layer.
package sources

import "embed"

// FS is the folder.
//
//go:embed */*.toml
var FS embed.FS
