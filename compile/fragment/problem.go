package fragment

import "github.com/opcat/opcat/shape"

// Problem says why a text is not of a kind of value, as findings word it; "" if it
// is. It is for stages that put texts together that no file holds.
func Problem(k shape.Kind, text string) string { return badText(k, text) }
