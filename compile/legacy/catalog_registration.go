package legacy

import (
	"sync"

	"github.com/opcat/opcat/shape"
)

// Facts are the fields of a row that may come from the pinned models.dev cache.
var Facts = []string{"name", "context_window", "open_weight", "released", "pricing"}

var modelsDev = sync.OnceValue(func() *shape.Table {
	return shape.New("an import from models.dev",
		shape.F("provider", text()).Always(),
		shape.F("model", wire()).Always(),
		shape.F("fields", shape.SetOf(shape.EnumOf(Facts...)).Full()).Always(),
	)
})

// registration expands one row into several, with aliases, successors, rules and
// one value of a picker.
var registration = sync.OnceValue(func() *shape.Table {
	return shape.New("a registration",
		shape.F("aliases", texts()),
		shape.F("supersedes", shape.ListOf(wire())),
		shape.F("request", shape.Rec(Request())),
		shape.F("routes", shape.MapOf(shape.WireID, shape.Rec(registeredRoute()))),
		shape.F("selection", shape.Rec(shape.New("the selection of a registration",
			shape.F("family", text()).Always(),
			shape.F("dimension", text()).Always(),
			shape.F("before", text()),
			shape.F("value", shape.Rec(pickerValue())).Always(),
		))),
	)
})

var registeredRoute = sync.OnceValue(func() *shape.Table {
	return shape.New("a route of a registration",
		shape.F("provider", id()).Always(),
		shape.F("model", shape.Rec(shape.New("a route's row", rowKeys()...))),
		shape.F("request", shape.Rec(Request())),
		shape.F("aliases", texts()),
		shape.F("supersedes", shape.ListOf(wire())),
	)
})
