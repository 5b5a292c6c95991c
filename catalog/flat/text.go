package flat

import "strconv"

// What fmt writes of a value. Without it fmt would look inside, and one route in a log
// would be the whole blob: megabytes.

// String is the catalog's digest.
func (c Catalog) String() string { return c.Digest() }

// GoString is String.
func (c Catalog) GoString() string { return c.String() }

// String is the row's id.
func (v Row) String() string { return v.ID() }

// GoString is String.
func (v Row) GoString() string { return v.String() }

// String is the operation and the row's id, as route ids are written; "" for no route.
func (r Route[O]) String() string {
	if !r.IsKnown() {
		return ""
	}
	return r.Operation() + ":" + r.ID()
}

// GoString is String.
func (r Route[O]) GoString() string { return r.String() }

// String says where in the blob the value stands; its accessors say what it is.
func (v view) String() string {
	if !v.IsKnown() {
		return "unknown"
	}
	return "value at " + strconv.FormatUint(uint64(v.at), 10)
}

// GoString is String.
func (v view) GoString() string { return v.String() }
