package emit

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// On a disk that fills up the old tree stays as it was, nothing is left beside it, and
// the error names the file.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("opcat-test", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk needs the right to mount one: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	dir := filepath.Join(disk, "gen")
	write(t, dir, file("a", "old"), file("b", "old"))
	_, err := Write(dir, []File{file("a", "new"), {Path: "b", Data: bytes.Repeat([]byte("x"), 1<<20)}})
	var at *fs.PathError
	if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &at) || at.Path != "b" {
		t.Errorf("the error is %v", err)
	}
	if diffs, err := Check(dir, []File{file("a", "old"), file("b", "old")}); err != nil || len(diffs) > 0 {
		t.Errorf("the old tree: %v, %v", diffs, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("there are %v", entries)
	}
}
