package cli

import "time"

// CatalogFlags is what the flags fill that every catalog command takes. What an
// empty one means is the compiler's to say.
type CatalogFlags struct {
	Sources string    // root of the TOML sources; "" for the working directory or the embedded snapshot
	Layers  []string  // layers to read, weakest first; nil for the default ones
	Overlay string    // one fragment file of the run layer
	AsOf    time.Time // the date that lifecycle and prices are judged at; zero for today
	Accept  string    // the file that names known contradictions
}

// Layers a fragment can come from, weakest first.
var layerNames = []string{"bundled", "host", "user", "project", "run"}

// Flags is the group, to be appended to a command's own flags.
func (c *CatalogFlags) Flags() []Flag {
	return []Flag{
		PathFlag(&c.Sources, "sources", "root of the TOML sources; else . where it holds them, else the embedded snapshot"),
		ListFlag(&c.Layers, "layers", layerNames, "layers to read"),
		PathFlag(&c.Overlay, "overlay", "one more fragment, as the run layer"),
		DateFlag(&c.AsOf, "as-of", "date that lifecycle and prices are judged at; else today"),
		PathFlag(&c.Accept, "accept", "file that names known contradictions"),
	}
}
