package swift

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/swiftc"
	"github.com/opcat/opcat/internal/testcat"
)

var figure = regexp.MustCompile(`(?m)^(\S+) (\d+)$`)

// BenchmarkFirstLookup is what a program takes for its first look-up with a cost, and
// for a list of all routes, and the most memory that it then holds. The program counts by itself,
// without what it takes to enter the Debian root.
func BenchmarkFirstLookup(b *testing.B) {
	dir := filepath.Join(swiftc.Work(b), "bench")
	files := read(b, "testdata/bench")
	swiftc.Put(b, filepath.Join(dir, "bench"), files)
	swiftc.Put(b, filepath.Join(dir, "opcatalog"), emitted(b, bundled(b)))
	if out, err := swiftc.Command(b, dir, "build", "-c", "release", "--package-path", "bench").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, tail(out))
	}
	for _, rows := range []int{5000, 50000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			c, err := build.Catalog(testcat.Large(rows))
			if err != nil {
				b.Fatal(err)
			}
			swiftc.Put(b, filepath.Join(dir, "given"), map[string][]byte{"large.json": []byte(c.JSON())})
			least := map[string]int{}
			for b.Loop() {
				for _, what := range []string{"nothing", "lookup", "list"} {
					out, err := swiftc.Command(b, dir, "exec", "bench/.build/release/bench", what, "given/large.json").CombinedOutput()
					if err != nil {
						b.Fatalf("%v\n%s", err, tail(out))
					}
					for _, m := range figure.FindAllStringSubmatch(string(out), -1) {
						n, _ := strconv.Atoi(m[2])
						name := what + "-" + m[1]
						if had, ok := least[name]; !ok || n < had {
							least[name] = n
						}
					}
				}
			}
			for name, n := range least {
				b.ReportMetric(float64(n), name)
			}
		})
	}
}
