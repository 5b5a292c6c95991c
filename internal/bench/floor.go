package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/pelletier/go-toml/v2/unstable"
)

// beChild is one measured process that does nothing but a floor's work.
func beChild(job string, args []string) error {
	if job == "run" && len(args) > 0 {
		return runChild(args)
	}
	if (job == "upstream-read" || job == "upstream-want") && len(args) == 2 {
		return readUpstream(args[0], args[1], job == "upstream-want")
	}
	do := map[string]func(src []byte){
		"read": func([]byte) {},
		"scan": func(src []byte) { scan(src) },
		"hash": nil,
		"walk": nil,
	}
	work, known := do[job]
	if !known || len(args) == 0 {
		return fmt.Errorf("child %q %v", job, args)
	}
	var files []string
	for _, dir := range args {
		found, err := list(dir)
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	if job == "hash" {
		return hashAll(files)
	}
	return readAll(files, func() func([]byte) {
		if job == "walk" {
			p := new(unstable.Parser)
			return func(src []byte) { walkBytes(p, src) }
		}
		return work
	})
}

// list names every TOML file below a folder of sources, and every file of another,
// with the fewest calls.
func list(dir string) (files []string, err error) {
	_, err = os.Stat(filepath.Join(dir, "catalog_sources"))
	sources := err == nil
	err = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (!sources || filepath.Ext(p) == ".toml") {
			files = append(files, p)
		}
		return err
	})
	return files, err
}

// hashAll digests every file through a buffer, which large ones need less memory
// for than reading them whole.
func hashAll(files []string) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			buf := make([]byte, 128<<10)
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				if err := hashFile(files[i], buf); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func hashFile(name string, buf []byte) error {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	h := sha256.New()
	for {
		n, err := syscall.Read(fd, buf)
		if err != nil {
			return &os.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			h.Sum(nil)
			return nil
		}
		h.Write(buf[:n])
	}
}

// readAll reads every file on as many workers as there are processors, into a
// buffer that each worker uses again.
func readAll(files []string, worker func() func([]byte)) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			do, buf := worker(), make([]byte, 64<<10)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				src, err := readRaw(files[i], &buf)
				if err != nil {
					failed.Store(&err)
					return
				}
				do(src)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func readRaw(name string, buf *[]byte) ([]byte, error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	used := 0
	for {
		if used == len(*buf) {
			*buf = append(*buf, make([]byte, len(*buf))...)
		}
		n, err := syscall.Read(fd, (*buf)[used:])
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			return (*buf)[:used], nil
		}
		used += n
	}
}

// scan splits a file into lines and each line at its equals sign: the least that
// any parser of it does.
func scan(src []byte) (keys int) {
	for len(src) > 0 {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		if bytes.IndexByte(line, '=') > 0 {
			keys++
		}
	}
	return keys
}

// walkBytes visits every node of the bare syntax tree.
func walkBytes(p *unstable.Parser, src []byte) (nodes int) {
	p.Reset(src)
	for p.NextExpression() {
		nodes += visit(p.Expression())
	}
	return nodes
}

func visit(n *unstable.Node) int {
	k := 1
	for c := n.Child(); c != nil; c = c.Next() {
		k += visit(c)
	}
	return k
}
