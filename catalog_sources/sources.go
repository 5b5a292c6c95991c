// Package sources holds the fragments of this folder as the binary carries them:
// providers, rows, aliases, defaults and presentation. Where no other sources are
// named, they are the bundled layer.
package sources

import "embed"

// FS is the folder.
//
//go:embed *.toml */*.toml
var FS embed.FS
