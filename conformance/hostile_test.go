package conformance

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// script makes a tool of shell that describes itself as shelf does, and then behaves.
func script(t *testing.T, describes bool, behaviour string) string {
	t.Helper()
	bin, err := shelf()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := exec.Command(bin, "--describe").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "describe.json"), doc, 0o644); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\n"
	if describes {
		text += `for w in "$@"; do if [ "$w" = --describe ]; then cat ` + dir + "/describe.json; exit 0; fi; done\n"
	}
	tool := filepath.Join(dir, "tool")
	if err := os.WriteFile(tool, []byte(text+behaviour+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return tool
}

// A hostile tool ends in a report, in bounded time and memory, and leaves nothing running.
func TestHostileTools(t *testing.T) {
	mark := "conformance-hostile-" + filepath.Base(t.TempDir())
	for _, tc := range []struct {
		name      string
		describes bool
		behaviour string
		fails     string // one check that says so
	}{
		{"it hangs", false, "sleep 600", "C001"},
		{"it hangs but for its describe document", true, "sleep 600", "C028"},
		{"it prints without end", false, "exec yes '{\"ok\":true}'", "C001"},
		{"it prints without end but for its describe document", true, "exec yes '{\"ok\":true}'", "C018"},
		{"it leaves children", true, "sleep 601 & sleep 602 & exit 0", "C028"},
		{"its children leave the group and hold its streams", true, "setsid sleep 603 & exit 0", "C028"},
		{"it wants a terminal", true, "exec < /dev/tty; read x; echo \"$x\"", "C018"},
		{"it crashes", true, "kill -SEGV $$", "C022"},
		{"it says nothing", true, "exit 0", "C012"},
		{"it answers with what is deep", true, `printf '%0.s[' $(seq 1 5000); echo`, "C012"},
		{"its describe document is no JSON", false, "echo '{'", "C002"},
		{"its describe document is another value", false, "echo '[1]'", "C001"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tool := script(t, tc.describes, ": "+mark+"\n"+tc.behaviour)
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			r, err := Run(ctx, tool, nil, Options{Limit: 500 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if ctx.Err() != nil {
				t.Fatal("it did not end")
			}
			if r.OK() {
				t.Error("it conforms")
			}
			found := false
			for _, c := range r.Results {
				found = found || c.ID == tc.fails && (c.Status == Failed || c.Status == Errored)
				for _, p := range c.Probes {
					if len(p.Stdout) > 2048 || len(p.Stderr) > 2048 || len(p.Saw) > 1024 {
						t.Errorf("%s shows too much", c.ID)
					}
				}
			}
			if !found {
				t.Errorf("%s passes: %v", tc.fails, r.Summary())
			}
			if _, err := r.JUnit(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		if runtime.GOOS != "linux" {
			return
		}
		for _, seconds := range []string{"600", "601", "602", "603"} {
			if left := running("sleep\x00" + seconds + "\x00"); left != "" {
				t.Errorf("sleep %s still runs: %s", seconds, left)
			}
		}
	})
}

// running names the processes with a command line of this start that a probe made.
func running(start string) string {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var out []string
	for _, name := range files {
		line, err := os.ReadFile(name)
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
		if err == nil && bytes.HasPrefix(line, []byte(start)) && bytes.Contains(env, []byte(markName+"=")) {
			out = append(out, filepath.Base(filepath.Dir(name)))
		}
	}
	return strings.Join(out, " ")
}

// What a tool that prints nothing is told is that it prints nothing.
func TestSilentTool(t *testing.T) {
	r, err := Run(context.Background(), script(t, false, "exit 0"), nil, Options{Only: []string{"C001"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 1 || len(r.Results[0].Probes) != 1 || !strings.Contains(r.Results[0].Probes[0].Saw, "stdout is empty") {
		t.Errorf("%+v", r.Results)
	}
}

// A binary that is not there is an error and no report.
func TestNoBinary(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := Run(context.Background(), name, nil, Options{}); err == nil {
			t.Errorf("%s is run", name)
		}
	}
	if _, err := Run(context.Background(), "/bin/sh", nil, Options{Only: []string{"C999"}}); err == nil {
		t.Error("C999 is a check")
	}
}

// A tool of which nothing could be checked does not conform.
func TestSkipsAreNoPass(t *testing.T) {
	bin, err := shelf()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), bin, nil, Options{Only: []string{"C029", "C051", "C058", "C067"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Skipped != 4 || r.OK() {
		t.Errorf("%s, ok: %v", r.Summary(), r.OK())
	}
	for _, c := range r.Results {
		if !strings.Contains(c.Mend, "profile") {
			t.Errorf("%s does not say what would enable it: %q", c.ID, c.Mend)
		}
	}
}
