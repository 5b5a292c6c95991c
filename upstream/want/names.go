package want

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed names.toml
var namesText string

// ourIDs: the reader's name -> an upstream's provider -> ours.
var ourIDs = sync.OnceValue(func() map[string]map[string]string {
	var m map[string]map[string]string
	if _, err := toml.Decode(namesText, &m); err != nil {
		panic("names.toml: " + err.Error()) // it is embedded, and a test reads it
	}
	return m
})

// OurID is the id by which we know an upstream's provider; "" where it is left out.
func OurID(reader, theirs string) string {
	if id, named := ourIDs()[reader][theirs]; named {
		return id
	}
	return strings.ToLower(theirs)
}
