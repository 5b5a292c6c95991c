package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	catalogs "github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/ts"
)

// What the TypeScript package costs its user: a program that uses it beside the same
// program without it, the compiler and node being processes of their own.

const tsc = "tools/node/node_modules/typescript/bin/tsc"

var compilerFlags = []string{"--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"}

var typescriptPrograms = map[string]string{
	"empty.ts":  "export const chosen: string = \"vendor-0000/model-00001\";\n",
	"open.ts":   "import { text_generation } from \"opcatalog/text_generation\";\nimport type { RouteId } from \"opcatalog\";\nexport const chosen: RouteId<\"text_generation\"> | undefined = text_generation.find(\"vendor-0000/model-00001\");\n",
	"closed.ts": "import { route } from \"opcatalog/closed\";\nexport const chosen = route.text_generation(\"vendor-0000/model-00001\");\n",
	"bare.mjs":  "export {};\n",
	"use.mjs":   "import { text_generation as of } from \"opcatalog/text_generation\";\nif (of.cost(of.find(\"vendor-0000/model-00001\"), { lines: [{ meter: \"input_token\", count: 1 }] }).usd === undefined) process.exit(1);\n",
}

// compiled is what tsc takes for a program over what it takes for the empty one.
func compiledOver(rows int, program string) func(*world) (result, error) {
	return typescript(rows, append([]string{tsc}, compilerFlags...), "empty.ts", program, "the same program without it")
}

// lookedUp is what the first look-up with a cost takes over bare node.
func lookedUp(rows int) func(*world) (result, error) {
	return typescript(rows, nil, "bare.mjs", "use.mjs", "bare node")
}

func typescript(rows int, args []string, without, with, floor string) func(*world) (result, error) {
	return func(w *world) (result, error) {
		if args != nil {
			if _, err := os.Stat(tsc); err != nil {
				return result{}, errors.New("the tools of tools/node are not installed: run make setup")
			}
		}
		dir, err := w.packaged(rows)
		if err != nil {
			return result{}, err
		}
		run := func(program string) func() (sample, error) {
			return func() (sample, error) {
				return w.process("node", append(slices.Clone(args), filepath.Join(dir, program))...)
			}
		}
		s, err := turns(w.rounds, run(without), run(with))
		if err != nil {
			return result{}, err
		}
		less, more := median(each(s[0], cpu)), median(each(s[1], cpu))
		return result{ours: fmt.Sprintf("%d ms more", (more - less).Milliseconds()), against: fmt.Sprintf("%d ms, %s", less.Milliseconds(), floor), ratio: fmt.Sprintf("%.2fx", float64(more)/float64(less))}, nil
	}
}

// packaged writes the package of a catalog once, where programs may import it.
func (w *world) packaged(rows int) (string, error) {
	dir := filepath.Join(w.dir, fmt.Sprintf("typescript-%d", rows))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	c, err := catalogs.Catalog(testcat.Large(rows))
	if err != nil {
		return "", err
	}
	files, err := ts.Emitter.Emit(c)
	if err != nil {
		return "", err
	}
	if _, err := emit.Write(filepath.Join(dir, "node_modules", "opcatalog"), files); err != nil {
		return "", err
	}
	for name, text := range typescriptPrograms {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{ \"type\": \"module\" }\n"), 0o644)
}
