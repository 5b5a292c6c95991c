// Package vectors is what the embedding protocols have in common: which numbers
// were asked for, and whether the answer holds exactly those.
package vectors

import (
	"fmt"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// An Ask is an admitted request for vectors.
type Ask struct {
	Items    []embedding.Item
	Settings embedding.Settings
	Width    catalog.Opt[int64] // of each vector, in numbers: what was asked for, or what the contract gives
}

// Of reads what was admitted.
func Of(a operations.Admitted[embedding.Request]) Ask {
	r := a.Lent(lent.Own())
	ask := Ask{Items: r.Items, Settings: r.Settings, Width: r.Settings.Dimensions}
	if d := a.Contract().Embedding.Dimensions; d != nil && !ask.Width.IsKnown() {
		ask.Width = catalog.Known(d.Default)
	}
	return ask
}

// ElementType is how the numbers of the answer are encoded.
func (a Ask) ElementType() string {
	if a.Settings.ElementType == "" {
		return "float"
	}
	return a.Settings.ElementType
}

// Texts are the items of a protocol that takes nothing but text.
func (a Ask) Texts() ([]post.Text, error) {
	texts := make([]post.Text, len(a.Items))
	for i, item := range a.Items {
		if item.Kind != "text" {
			return nil, fmt.Errorf("item %d is %s, and the protocol takes text", i, item.Kind)
		}
		texts[i] = post.Text(item.Text)
	}
	return texts, nil
}

// AllText reports whether every item is text, so that all tokens are of text.
func (a Ask) AllText() bool {
	for _, item := range a.Items {
		if item.Kind != "text" {
			return false
		}
	}
	return true
}
