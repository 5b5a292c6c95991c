package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// errOther is of a cache that is not written as caches are.
var errOther = errors.New("written in another way")

// readPlain reads the pinned facts where they lie, of which a few in a hundred are
// imported. It is false for what is wrong and for what encoding/json reads in a way of
// its own: a name twice or in capitals, null for a table. Then c is half read.
func (c *cache) readPlain(src []byte) bool {
	r := factReader{jsontext.NewDecoder(bytes.NewBuffer(src)), src}
	c.Models = map[string]map[string]cacheModel{}
	err := r.each(func(name string) error {
		switch name {
		case "schema":
			return r.text(&c.Schema)
		case "source_url":
			return r.text(&c.Source)
		case "upstream_sha256":
			return r.text(&c.Sum)
		case "models":
			return r.each(func(provider string) error {
				models := map[string]cacheModel{}
				c.Models[provider] = models
				return r.each(func(model string) error {
					var m cacheModel
					err := r.model(&m)
					models[model] = m
					return err
				})
			})
		}
		return r.skip(name)
	})
	if err == nil {
		_, err = r.ReadToken()
	}
	return err == io.EOF
}

// A factReader walks along the cache.
type factReader struct {
	*jsontext.Decoder
	src []byte
}

// each reads an object: f reads the value of each name.
func (r *factReader) each(f func(name string) error) error {
	if r.PeekKind() != '{' {
		return errOther
	}
	if _, err := r.ReadToken(); err != nil {
		return err
	}
	for r.PeekKind() != '}' {
		name, err := r.ReadToken()
		if err != nil {
			return err
		}
		if err := f(name.String()); err != nil {
			return err
		}
	}
	_, err := r.ReadToken()
	return err
}

func (r *factReader) model(m *cacheModel) error {
	return r.each(func(name string) error {
		switch name {
		case "name":
			return r.raw(&m.Name)
		case "open_weights":
			return r.raw(&m.OpenWeights)
		case "release_date":
			return r.raw(&m.ReleaseDate)
		case "limit":
			return r.one("context", func() error { return r.raw(&m.Limit.Context) })
		case "cost":
			return r.one("text", func() error { return r.each(func(name string) error { return r.side(name, m) }) })
		}
		return r.skip(name)
	})
}

// side reads what input or output costs.
func (r *factReader) side(name string, m *cacheModel) error {
	input, output := &m.Cost.Text.Input, &m.Cost.Text.Output
	switch name {
	case "input":
		return r.each(func(name string) error {
			switch name {
			case "price":
				return r.raw(&input.Price)
			case "cache":
				return r.each(func(name string) error {
					switch name {
					case "read":
						return r.raw(&input.Cache.Read)
					case "write":
						return r.raw(&input.Cache.Write)
					}
					return r.skip(name)
				})
			}
			return r.skip(name)
		})
	case "output":
		return r.one("price", func() error { return r.raw(&output.Price) })
	}
	return r.skip(name)
}

// one reads an object of which one member counts.
func (r *factReader) one(member string, f func() error) error {
	return r.each(func(name string) error {
		if name == member {
			return f()
		}
		return r.skip(name)
	})
}

// raw lends a value's text.
func (r *factReader) raw(to *json.RawMessage) error {
	v, err := r.ReadValue()
	end := int(r.InputOffset())
	*to = r.src[end-len(v) : end]
	return err
}

func (r *factReader) text(to *string) error {
	if r.PeekKind() != '"' {
		return errOther
	}
	t, err := r.ReadToken()
	if err == nil {
		*to = t.String()
	}
	return err
}

// skip passes a member by that nobody asks for. Capitals may mean one that somebody
// does ask for.
func (r *factReader) skip(name string) error {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		return errOther
	}
	return r.SkipValue()
}
