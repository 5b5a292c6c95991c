// Command readme puts real output into README.md: below each line
// `$ opcat ...` of a console block stands what the command prints now, so that the
// README can't go stale. It writes spec.yaml and the skills anew as well.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	err := run("README.md")
	if err == nil {
		err = registry()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

func run(name string) error {
	dir, err := os.MkdirTemp("", "opcat-readme-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "opcat")
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/opcat").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := render(string(old), func(args []string) (string, error) {
		cmd := exec.Command(bin, args...)
		cmd.Env = append(os.Environ(), "NO_COLOR=1", "XDG_CONFIG_HOME="+dir)
		out, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); exited {
			err = nil // a failing command is shown as it is
		}
		return string(out), err
	})
	if err != nil || bytes.Equal(old, []byte(text)) {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// registry writes spec.yaml and the skills, which the registry of commands gives.
func registry() error {
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestGeneratedTexts$", "./cmd/opcat/internal/cli")
	cmd.Env = append(os.Environ(), "OPCAT_UPDATE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("spec.yaml and skills: %w\n%s", err, out)
	}
	return nil
}

// render replaces what stands below each command of the console blocks.
func render(text string, opcat func(args []string) (string, error)) (string, error) {
	var out strings.Builder
	console := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(trimmed, "```"):
			console = trimmed == "```console"
			out.WriteString(line)
		case !console:
			out.WriteString(line)
		case strings.HasPrefix(trimmed, "$ go run ./cmd/opcat "), strings.HasPrefix(trimmed, "$ opcat "):
			out.WriteString(line)
			_, args, _ := strings.Cut(trimmed, "opcat ")
			result, err := opcat(strings.Fields(args))
			if err != nil {
				return "", fmt.Errorf("%s: %w", trimmed, err)
			}
			out.WriteString(result)
		case strings.HasPrefix(trimmed, "$ "):
			out.WriteString(line) // a command of the shell's own, which prints nothing here
		}
	}
	return out.String(), nil
}
