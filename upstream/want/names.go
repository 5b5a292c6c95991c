package want

import (
	_ "embed"
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

// ourID is the id by which we know an upstream's provider.
func ourID(reader, theirs string) (id string, named bool) {
	id, named = ourIDs()[reader][theirs]
	return id, named
}

// OurID is the id by which we know an upstream's provider; "" where it is left out.
func OurID(reader, theirs string) string {
	if id, named := ourID(reader, theirs); named {
		return id
	}
	return theirs
}
