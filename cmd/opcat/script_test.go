package main

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/opcat/opcat/cmd/opcat/internal/cli"
	"github.com/opcat/opcat/conformance"
	"github.com/opcat/opcat/internal/golden"
)

func TestMain(m *testing.M) { golden.Main(m, map[string]func(){"opcat": checkedMain}) }

// Each script is one thing that the command line does, as a person sees it.
func TestScripts(t *testing.T) { golden.Scripts(t, "testdata/script") }

// checkedMain is main with its stdout held against the tool contract: a script
// whose run breaks it fails, whatever the script looks at. What the machine has of
// fragments is out of the way; a script that wants a host layer names its folder.
func checkedMain() {
	app, streams := cli.Opcat(), cli.System()
	app.HostLayer = os.Getenv("HOST_LAYER")
	var out bytes.Buffer
	streams.Out = &out
	exit := app.Main(os.Args[1:], streams)
	_, _ = os.Stdout.Write(out.Bytes())
	if !conformance.IsEnvelope(os.Args[1:]) && exit >= 0 && exit <= 5 { // a checker is dear to make
		os.Exit(exit)
	}

	doc, err := app.Describe()
	if err == nil {
		var checker *conformance.Answers
		if checker, err = conformance.NewAnswers(doc); err == nil {
			err = checker.Check(os.Args[1:], exit, out.Bytes())
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "CONTRACT BROKEN by %q: %v\n", os.Args[1:], err)
		os.Exit(70)
	}
	os.Exit(exit)
}
