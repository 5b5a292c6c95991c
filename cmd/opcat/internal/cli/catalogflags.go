package cli

import (
	"slices"
	"time"

	"github.com/opcat/opcat/compile"
)

// CatalogFlags is what the flags fill that every catalog command takes. What an
// empty one means is the compiler's to say.
type CatalogFlags struct {
	Sources string    // root of the TOML sources; "" for the working directory or the embedded snapshot
	Layers  []string  // layers to read, weakest first; nil for the default ones
	Overlay string    // one fragment file of the run layer
	AsOf    time.Time // the date that lifecycle and prices are judged at; zero for today
	Accept  string    // the file that names known contradictions
}

// Flags is the group, to be appended to a command's own flags.
func (c *CatalogFlags) Flags() []Flag {
	return []Flag{
		PathFlag(&c.Sources, "sources", "root of the TOML sources; else, for catalog commands, . where it holds them; else those in the binary"),
		ListFlag(&c.Layers, "layers", compile.Layers, "layers to read"),
		PathFlag(&c.Overlay, "overlay", "one more fragment, as the run layer"),
		DateFlag(&c.AsOf, "as-of", "date that lifecycle and prices are judged at; else today"),
		PathFlag(&c.Accept, "accept", "file that names known contradictions"),
	}
}

// catalogEnv is what the commands that read a catalog take from the environment.
func catalogEnv() []EnvVar {
	var readers, writers []string
	for _, c := range Commands() {
		if slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == "overlay" }) {
			readers = append(readers, c.Path)
		}
		if slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == "into" }) {
			writers = append(writers, c.Path)
		}
	}
	return append([]EnvVar{
		{Name: overlayVar, UsedBy: readers},        // a file of the run layer
		{Name: "XDG_CONFIG_HOME", UsedBy: readers}, // the user layer lies below it
		{Name: "HOME", UsedBy: readers},            // or here
		{Name: "XDG_CACHE_HOME", UsedBy: writers},  // what is known of a checked tree
	}, dispatchEnv()...)
}
