package ts

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/node"
	"github.com/opcat/opcat/internal/testcat"
)

// A program is one that does nothing, or one that uses the package; what the second
// takes over the first is what the package costs its user.
type program struct {
	name string
	args []string
	wall time.Duration // the shortest so far
	cpu  time.Duration
}

// compare runs programs in turn, so that a busy moment hits all, and reports what each
// takes over the first.
func compare(b *testing.B, dir string, run func(args ...string) *exec.Cmd, programs []*program) {
	for b.Loop() {
		for _, p := range programs {
			cmd := run(p.args...)
			cmd.Dir = dir
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%s: %v\n%.500s", p.name, err, out)
			}
			wall, cpu := time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
			if p.wall == 0 || wall < p.wall {
				p.wall = wall
			}
			if p.cpu == 0 || cpu < p.cpu {
				p.cpu = cpu
			}
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(programs[0].wall), programs[0].name+"-wall-ms")
	b.ReportMetric(ms(programs[0].cpu), programs[0].name+"-cpu-ms")
	for _, p := range programs[1:] {
		b.ReportMetric(ms(p.wall-programs[0].wall), p.name+"-wall-ms-more")
		b.ReportMetric(ms(p.cpu-programs[0].cpu), p.name+"-cpu-ms-more")
	}
}

func installed(b *testing.B, rows int) string {
	c, err := build.Catalog(testcat.Large(rows))
	if err != nil {
		b.Fatal(err)
	}
	return install(b, c)
}

// BenchmarkCompiler is what tsc takes for a small program that uses the package.
func BenchmarkCompiler(b *testing.B) {
	for _, rows := range []int{5000, 50000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			dir := installed(b, rows)
			put(b, filepath.Join(dir, "empty.ts"), "export const chosen: string = \"vendor-0000/model-00001\";\n")
			put(b, filepath.Join(dir, "open.ts"), "import { text_generation } from \"opcatalog/text_generation\";\nimport type { RouteId } from \"opcatalog\";\n"+
				"export const chosen: RouteId<\"text_generation\"> | undefined = text_generation.find(\"vendor-0000/model-00001\");\n")
			put(b, filepath.Join(dir, "closed.ts"), "import { route } from \"opcatalog/closed\";\nexport const chosen = route.text_generation(\"vendor-0000/model-00001\");\n")
			flags := []string{"--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"}
			compare(b, dir, func(args ...string) *exec.Cmd { return node.Tool(b, "tsc", args...) }, []*program{
				{name: "empty", args: append(flags, "empty.ts")}, {name: "default", args: append(flags, "open.ts")}, {name: "closed", args: append(flags, "closed.ts")},
			})
		})
	}
}

// BenchmarkFirstLookup is what the first look-up with a cost takes over bare node.
func BenchmarkFirstLookup(b *testing.B) {
	for _, rows := range []int{5000, 50000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			dir := installed(b, rows)
			put(b, filepath.Join(dir, "bare.mjs"), "export {};\n")
			use := "const r = of.find(\"vendor-0000/model-00001\");\nif (of.cost(r, { lines: [{ meter: \"input_token\", count: 1 }] }).usd !== \"0.0000012\") process.exit(1);\n"
			put(b, filepath.Join(dir, "one.mjs"), "import { text_generation as of } from \"opcatalog/text_generation\";\n"+use)
			put(b, filepath.Join(dir, "all.mjs"), "import { operation } from \"opcatalog\";\nconst of = operation(\"text_generation\");\n"+use)
			compare(b, dir, func(args ...string) *exec.Cmd { return exec.Command("node", args...) }, []*program{
				{name: "bare", args: []string{"bare.mjs"}}, {name: "one", args: []string{"one.mjs"}}, {name: "whole", args: []string{"all.mjs"}},
			})
		})
	}
}
