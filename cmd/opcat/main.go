// Command opcat compiles a provider catalog and answers which route may perform
// which operation, with which settings, at which price.
package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/opcat/opcat/cmd/opcat/internal/cli"
)

func main() {
	tuneCollector()
	os.Exit(cli.Opcat().Main(os.Args[1:], cli.System()))
}

// tuneCollector leaves collecting until there is more than a compile of thousands
// of rows needs: nearly every run ends before. From the first collection on the
// collector works as usual, so a run that does need memory is not slowed down.
func tuneCollector() {
	const enough = 64 << 20
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(enough)
	sentinel := new([16]byte)
	runtime.SetFinalizer(sentinel, func(*[16]byte) {
		if own := debug.SetGCPercent(100); own >= 0 {
			debug.SetGCPercent(own) // of a command that counts its memory
		}
		debug.SetMemoryLimit(math.MaxInt64)
	})
}
