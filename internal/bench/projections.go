package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/emit"
)

// allProjections compares a cold compile that writes everything with one that writes
// the JSON alone.
func allProjections(w *world) (result, error) {
	dir, err := w.tree(5000, 50, testcat.Full)
	if err != nil {
		return result{}, err
	}
	s, err := turns(w.rounds,
		func() (sample, error) { return w.compileCold(dir) },
		func() (sample, error) { return w.compileCold(dir, "--projections", "json") })
	if err != nil {
		return result{}, err
	}
	return compared(s[0], s[1], cpu, "JSON alone").mib(s[0]), nil
}

// linearProjections compares what all emitters cost a row of many rows with what they
// cost of fewer.
func linearProjections(w *world) (result, error) {
	s, err := w.grown(func(dir string) (sample, error) {
		disk, err := fragment.Open(dir)
		if err != nil {
			return sample{}, err
		}
		defer disk.Close()
		r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: asOf})
		if r.Catalog == nil {
			return sample{}, errors.New(r.Diags.String())
		}
		c := r.Catalog
		r = compile.Result{} // what the catalog was made from is nobody's any more
		runtime.GC()
		return inside(func() error {
			_, err := projections.Emit(c, nil)
			return err
		})
	})
	if err != nil {
		return result{}, err
	}
	return perRow(s), nil
}

// editedProjections measures what follows a price that was edited in the file of one
// provider: the new catalog, and every projection of it.
func editedProjections(w *world) (result, error) {
	dir, err := w.tree(5000, 50, testcat.Full)
	if err != nil {
		return result{}, err
	}
	disk, err := fragment.Open(dir)
	if err != nil {
		return result{}, err
	}
	defer disk.Close()
	session, first := compile.Start(compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: asOf})
	if first.Failed != "" {
		return result{}, errors.New(first.Diags.String())
	}
	var emitting projections.Session
	edited := func(file string) error {
		r := session.Edited("bundled", file)
		if r.Catalog == nil {
			return errors.New(r.Diags.String())
		}
		_, err := emitting.Emit(r.Catalog, nil)
		return err
	}
	n := 0
	s, err := turns(w.rounds, func() (took sample, err error) {
		n += 11
		file := fmt.Sprintf("catalog_sources/acme%[1]d/acme%[1]d.toml", n%100)
		name := filepath.Join(dir, filepath.FromSlash(file))
		src, err := os.ReadFile(name)
		if err != nil {
			return sample{}, err
		}
		amount := []byte(`usd_per_million = "`)
		if err := os.WriteFile(name, bytes.Replace(src, amount, append(amount, '1'), 1), 0o644); err != nil {
			return sample{}, err
		}
		runtime.GC() // the round before is not ours to clean up
		if took, err = inside(func() error { return edited(file) }); err != nil {
			return sample{}, err
		}
		if err := os.WriteFile(name, src, 0o644); err != nil {
			return sample{}, err
		}
		return took, edited(file)
	})
	if err != nil {
		return result{}, err
	}
	return result{ours: ms(median(each(s[0], cpu))) + ", wall " + ms(median(each(s[0], wall))), against: "-", ratio: "-"}, nil
}

// emitter measures an emitter alone.
func emitter(name string) func(*world) (result, error) {
	return func(w *world) (result, error) {
		dir, err := w.tree(5000, 50, testcat.Full)
		if err != nil {
			return result{}, err
		}
		e, ok := projections.Lookup(name)
		if !ok {
			return result{}, fmt.Errorf("there is no projection %s", name)
		}
		disk, err := fragment.Open(dir)
		if err != nil {
			return result{}, err
		}
		defer disk.Close()
		size := 0
		s, err := turns(w.rounds, func() (sample, error) {
			r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: asOf})
			if r.Catalog == nil {
				return sample{}, errors.New(r.Diags.String())
			}
			runtime.GC()
			return inside(func() error {
				files, err := e.Emit(r.Catalog)
				size = bytesOf(files)
				return err
			})
		})
		if err != nil {
			return result{}, err
		}
		return result{ours: fmt.Sprintf("%s, %.1f MB", ms(median(each(s[0], cpu))), float64(size)/1e6), against: "-", ratio: "-"}, nil
	}
}

func bytesOf(files []emit.File) (n int) {
	for _, f := range files {
		n += f.Size()
	}
	return n
}
