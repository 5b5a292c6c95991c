//go:build !unix

package fragment

// fill reads a file that a walk of the tree found into the room of p.
func (d *Disk) fill(name string, _ int, p *pool) (used int, err error) {
	src, err := readUpTo(d.FS, name)
	for used < len(src) {
		used += copy(p.room(used)[used:], src[used:])
	}
	return used, err
}
