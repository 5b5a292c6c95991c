// Package swiftc runs Swift in tests, as tools/swift/swift finds or has made it.
//
// A machine where `make swift` has made none skips the test that asks; where CI is set
// it fails instead, so that a check that nobody ran is never a pass.
package swiftc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Work is the folder for builds of this module, under the user's cache. It is kept,
// so that a build is quick when little has changed, shared with parity/drivers/swift,
// and held against others while the test runs. Two packages need a --scratch-path each:
// SwiftPM takes what it built of one for the other's.
func Work(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(root(t)))
	dir := filepath.Join(cache, "opcat", "swift", "work", hex.EncodeToString(sum[:4]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Put makes a folder hold some files and no others, and leaves alone those that are as
// they should be.
func Put(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir():
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := files[filepath.ToSlash(name)]; !ok {
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if had, err := os.ReadFile(path); err == nil && bytes.Equal(had, data) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Command runs Swift with some arguments in a folder: it sees that folder alone, and
// of the environment what begins with OPCAT_.
func Command(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	tool := filepath.Join(root(t), "tools", "swift", "swift")
	if out, err := exec.Command(tool, "ready").CombinedOutput(); err != nil {
		missing := t.Skipf
		if os.Getenv("CI") != "" {
			missing = t.Fatalf
		}
		missing("no Swift: %v\n%s", err, strings.TrimSpace(string(out)))
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	return cmd
}

// root is the folder of the module that the test runs in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod around the test")
		}
	}
}
