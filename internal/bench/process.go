package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/opcat/opcat/catalog"
)

// A sample is one run of a process or of a function.
type sample struct {
	cpu, wall time.Duration
	peak      int64 // bytes of resident memory, of a process only
}

// A world is what the lines share: scratch space and the built programs.
type world struct {
	dir    string
	rounds int
	trees  map[string]string
	kept   int // outputs of rounds before

	markets map[int]*catalog.Catalog
}

// aside makes room for an output. The files that stood there are emptied and stay until
// the run is over. For minutes after hundreds of files were removed ext4 looks long for a
// free inode for each new one, a quarter of a compile into a fresh folder, which no user waits for.
func (w *world) aside(out string) error {
	w.kept++
	old := fmt.Sprintf("%s-%d", out, w.kept)
	if err := os.Rename(out, old); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return filepath.WalkDir(old, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Truncate(name, 0)
	})
}

// opcat is the built command; self this program, to be a process of its own.
func (w *world) opcat() (string, error) { return w.built("opcat", "./cmd/opcat") }
func (w *world) self() (string, error)  { return w.built("bench", "./internal/bench") }

func (w *world) built(name, pkg string) (string, error) {
	out := filepath.Join(w.dir, name)
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	return build(out, pkg)
}

// build builds a command of this module.
func build(out, pkg string, flags ...string) (string, error) {
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", out, pkg)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as README.md installs it
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, text)
	}
	return out, nil
}

// process runs a command once, with its output thrown away. A small process of our
// own starts it: a child's peak memory counts that of the process it comes from.
func (w *world) process(name string, args ...string) (sample, error) {
	self, err := w.self()
	if err != nil {
		return sample{}, err
	}
	cmd := exec.Command(self, append([]string{"-child", "run", name}, args...)...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "XDG_CONFIG_HOME=/nonexistent")
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("%s %v: %w", name, args, err)
	}
	var s sample
	_, err = fmt.Sscan(string(out), &s.cpu, &s.wall, &s.peak)
	return s, err
}

// runChild runs a command and prints its CPU and wall time in nanoseconds and its
// peak memory in bytes.
func runChild(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	took, usage := time.Since(start), cmd.ProcessState.SysUsage().(*syscall.Rusage)
	_, err := fmt.Println(usage.Utime.Nano()+usage.Stime.Nano(), took.Nanoseconds(), usage.Maxrss*1024)
	return err
}

// inside runs a function of this process once.
func inside(f func() error) (sample, error) {
	before, start := cpuNow(), time.Now()
	err := f()
	return sample{wall: time.Since(start), cpu: cpuNow() - before}, err
}

func cpuNow() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// turns runs the jobs one after the other, round after round, and gives each
// job's samples.
func turns(rounds int, jobs ...func() (sample, error)) ([][]sample, error) {
	out := make([][]sample, len(jobs))
	for round := range rounds + 1 {
		for i, job := range jobs {
			s, err := job()
			if err != nil {
				return nil, err
			}
			if round > 0 { // the first round warms caches
				out[i] = append(out[i], s)
			}
		}
	}
	return out, nil
}

func median[T int64 | float64 | time.Duration](values []T) T {
	v := slices.Clone(values)
	slices.Sort(v)
	return v[len(v)/2]
}

func each[T any](samples []sample, f func(sample) T) []T {
	out := make([]T, len(samples))
	for i, s := range samples {
		out[i] = f(s)
	}
	return out
}

func cpu(s sample) time.Duration  { return s.cpu }
func wall(s sample) time.Duration { return s.wall }
func peak(s sample) int64         { return s.peak }

// ratio is the median of the rounds' ratios.
func ratio(a, b []sample, of func(sample) time.Duration) float64 {
	var r []float64
	for i := range a {
		r = append(r, float64(of(a[i]))/float64(of(b[i])))
	}
	return median(r)
}
