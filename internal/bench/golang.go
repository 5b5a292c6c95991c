package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/projections/golang"
	"github.com/opcat/opcat/projections/json"
)

// A host is a module of a user's: programs that do nothing, tell the time, look a route up, or look one up in
// catwalk's embedded catalog. It lies outside of this module, so that nothing of ours links catwalk.
type goHost struct {
	dir string
	id  string // of a row that is looked up
}

const catwalk = "charm.land/catwalk v0.52.1"

func (w *world) goHost(rows int) (*goHost, error) {
	h := &goHost{dir: filepath.Join(w.dir, fmt.Sprintf("host-%d", rows))}
	c, err := w.marketOf(rows)
	if err != nil {
		return nil, err
	}
	for ref := range c.Routes("text_generation") {
		h.id = ref.ID()
		break
	}
	if _, err := os.Stat(h.dir); err == nil {
		return h, nil
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	files, err := golang.Emitter.Emit(c)
	if err != nil {
		return nil, err
	}
	out := map[string]string{
		"go.mod":       "module host.example/m\n\ngo 1.26.0\n\nrequire github.com/opcat/opcat v0.0.0\n\nreplace github.com/opcat/opcat => " + root + "\n",
		"empty/m.go":   "package main\n\nfunc main() {}\n",
		"clock/m.go":   "package main\n\nimport (\n\t_ \"embed\"\n\t\"time\"\n)\n\nfunc main() {\n\tif time.Now().IsZero() {\n\t\tpanic(0)\n\t}\n}\n",
		"lookup/m.go":  fmt.Sprintf("package main\n\nimport (\n\t\"host.example/m/op\"\n\t\"host.example/m/opcatalog\"\n)\n\nfunc main() {\n\tif r, ok := opcatalog.Lookup[op.TextGeneration](%q); !ok || r.Row().ID() == \"\" {\n\t\tpanic(0)\n\t}\n}\n", h.id),
		"catwalk/m.go": "package main\n\nimport \"charm.land/catwalk/pkg/embedded\"\n\nfunc main() {\n\tif len(embedded.GetAll()) == 0 {\n\t\tpanic(0)\n\t}\n}\n",
	}
	out["catwalk/go.mod"] = "module catwalk.example/m\n\ngo 1.26.0\n\nrequire " + catwalk + "\n"
	for _, f := range files {
		out[f.Path] = string(f.Bytes())
	}
	for name, text := range out {
		name = filepath.Join(h.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// build builds one of the programs and gives what the build took.
func (h *goHost) build(program string) (sample, error) {
	cmd := exec.Command("go", "build", "-o", filepath.Join(h.dir, program+".exe"), "./"+program)
	cmd.Dir = h.dir
	if program == "catwalk" { // a module of its own
		cmd.Args[len(cmd.Args)-1] = "."
		cmd.Dir = filepath.Join(h.dir, program)
	}
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
	start := time.Now()
	text, err := cmd.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("build %s: %w\n%s", program, err, text)
	}
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return sample{cpu: time.Duration(u.Utime.Nano() + u.Stime.Nano()), wall: time.Since(start)}, nil
}

// many is how often a process runs for one sample: one alone takes less than the
// clock of CPU time tells apart.
const many = 40

func (h *goHost) start(program string) func() (sample, error) {
	return func() (s sample, err error) {
		for range many {
			cmd := exec.Command(filepath.Join(h.dir, program+".exe"))
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return s, err
			}
			u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			s.cpu += time.Duration(u.Utime.Nano()+u.Stime.Nano()) / many
			s.wall += time.Since(start) / many
		}
		return s, nil
	}
}

// goStart measures the start of a program with one look-up against one that does nothing.
func goStart(rows int) func(*world) (result, error) {
	return func(w *world) (result, error) {
		if rows > manyRows && os.Getenv("OPCAT_BENCH_LARGE") == "" {
			return result{ours: "not run: set OPCAT_BENCH_LARGE=1, it takes minutes", against: "-", ratio: "-"}, nil
		}
		h, err := w.goHost(rows)
		if err != nil {
			return result{}, err
		}
		for _, program := range []string{"empty", "clock", "lookup"} {
			if _, err := h.build(program); err != nil {
				return result{}, err
			}
		}
		s, err := turns(w.rounds, h.start("lookup"), h.start("clock"), h.start("empty"))
		if err != nil {
			return result{}, err
		}
		return result{ours: more(s[0], s[2]) + " over an empty program", against: more(s[1], s[2]) + ", a program that tells the time", ratio: fmt.Sprintf("%.2fx", ratio(s[0], s[2], cpu))}, nil
	}
}

// more is the median of what the rounds of one job take over another's.
func more(a, b []sample) string {
	var d []time.Duration
	for i := range a {
		d = append(d, a[i].cpu-b[i].cpu)
	}
	return fmt.Sprintf("%+.0f us", float64(median(d))/1e3)
}

// goCatwalk measures the start of a program with catwalk's embedded catalog.
func goCatwalk(w *world) (result, error) {
	h, err := w.goHost(5000)
	if err != nil {
		return result{}, err
	}
	for _, program := range []string{"empty", "lookup", "catwalk"} {
		if _, err := h.build(program); err != nil {
			return result{ours: "not run: " + firstLine(err), against: "-", ratio: "-"}, nil
		}
	}
	s, err := turns(w.rounds, h.start("lookup"), h.start("catwalk"), h.start("empty"))
	if err != nil {
		return result{}, err
	}
	return result{ours: more(s[0], s[2]) + " over an empty program", against: more(s[1], s[2]) + ", " + catwalk, ratio: fmt.Sprintf("%.2fx", ratio(s[0], s[1], cpu))}, nil
}

func firstLine(err error) string {
	s := err.Error()
	for i, c := range s {
		if c == '\n' {
			return s[:i]
		}
	}
	return s
}

// goBuild measures a user's build after a new catalog came, against that of an empty
// program that was edited.
func goBuild(rows int) func(*world) (result, error) {
	return func(w *world) (result, error) {
		h, err := w.goHost(rows)
		if err != nil {
			return result{}, err
		}
		n := 0
		touched := func(program, file string) func() (sample, error) {
			return func() (sample, error) {
				n++
				f, err := os.OpenFile(filepath.Join(h.dir, file), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					return sample{}, err
				}
				if _, err := f.WriteString("\n// " + strconv.Itoa(n) + "\n"); err != nil {
					return sample{}, err
				}
				if err := f.Close(); err != nil {
					return sample{}, err
				}
				return h.build(program)
			}
		}
		s, err := turns(w.rounds, touched("lookup", "opcatalog/opcatalog.go"), touched("empty", "empty/m.go"))
		if err != nil {
			return result{}, err
		}
		return result{ours: more(s[0], s[1]) + " over an empty program", against: ms(median(each(s[1], cpu))) + ", an empty program", ratio: fmt.Sprintf("%.2fx", ratio(s[0], s[1], cpu))}, nil
	}
}

// goLookup measures finding routes by their ids, another each time.
func goLookup(rows int) func(*world) (result, error) {
	return func(w *world) (result, error) {
		c, err := w.marketOf(rows)
		if err != nil {
			return result{}, err
		}
		b, err := golang.Blob(c)
		if err != nil {
			return result{}, err
		}
		f := flat.Embedded(string(b))
		var ids []string
		for ref := range c.Routes("text_generation") {
			ids = append(ids, ref.ID())
		}
		next := 0
		return w.alone(500_000, func() error {
			next = (next + 997) % len(ids)
			if _, ok := flat.Lookup[flat.TextGeneration](f, ids[next]); !ok {
				return errNoRow
			}
			return nil
		})
	}
}

// goEmit measures writing the blob beside writing JSON, both from a compiled catalog.
func goEmit(w *world) (result, error) {
	c, err := w.marketOf(5000)
	if err != nil {
		return result{}, err
	}
	s, err := turns(w.rounds,
		func() (sample, error) {
			return inside(func() error { _, err := golang.Emitter.Emit(c); return err })
		},
		func() (sample, error) {
			return inside(func() error { _, err := json.Emitter.Emit(c); return err })
		})
	if err != nil {
		return result{}, err
	}
	return compared(s[0], s[1], cpu, fmt.Sprintf("JSON of %.1f MB from the same catalog", float64(len(c.JSON()))/1e6)), nil
}
