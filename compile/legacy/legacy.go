// Package legacy declares format 0, the dialect that fragments without a schema
// line are written in: which tables and keys its two roots may hold.
//
// It is read by the decoder and by package migrate, which turns it into today's
// format; nothing later knows it. Only what format 0 closes is closed here: a
// word whose misspelling has a code of its own (an operation, a dialect, a label)
// is text here, and package migrate judges it.
package legacy

import "github.com/opcat/opcat/shape"

func text() *shape.Type   { return shape.Of(shape.Text) }
func yesno() *shape.Type  { return shape.Of(shape.Bool) }
func count() *shape.Type  { return shape.CountOf(1, 0) }
func whole() *shape.Type  { return shape.CountOf(0, 0) }
func number() *shape.Type { return shape.Of(shape.Float) }
func date() *shape.Type   { return shape.Of(shape.Date) }
func source() *shape.Type { return shape.Of(shape.Source) }
func id() *shape.Type     { return shape.Of(shape.ID) }
func wire() *shape.Type   { return shape.Of(shape.WireID) }
func env() *shape.Type    { return shape.Of(shape.EnvName) }
func texts() *shape.Type  { return shape.ListOf(text()) }
func free() *shape.Type   { return shape.MapOf(shape.Text, shape.Of(shape.Any)) }
