// Command opcat compiles a provider catalog and answers which route may perform
// which operation, with which settings, at which price.
package main

import (
	"os"

	"github.com/opcat/opcat/cmd/opcat/internal/cli"
)

func main() { os.Exit(cli.Opcat().Main(os.Args[1:], cli.System())) }
