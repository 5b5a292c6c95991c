package vectors

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/embedding"
)

// An Entry is one vector of a list whose members say which item they are for.
type Entry struct {
	Index     wire.Number    `json:"index"`
	Embedding jsontext.Value `json:"embedding"`
}

// Placed puts entries into the order of the items. Each item has exactly one.
func Placed(n int, entries []Entry) ([]jsontext.Value, error) {
	values := make([]jsontext.Value, n)
	for _, e := range entries {
		i, err := strconv.Atoi(string(e.Index))
		if err != nil || i < 0 || i >= n {
			return nil, fmt.Errorf("a vector is for item %.20q of %d", string(e.Index), n)
		}
		if values[i] != nil {
			return nil, fmt.Errorf("item %d has two vectors", i)
		}
		if e.Embedding == nil {
			return nil, fmt.Errorf("the vector of item %d is absent", i)
		}
		values[i] = e.Embedding
	}
	for i, v := range values {
		if v == nil {
			return nil, fmt.Errorf("item %d has no vector", i)
		}
	}
	return values, nil
}

// Read reads one vector for each item, given in the order of the items, and
// checks that each has the width and the element type that were asked for.
func (a Ask) Read(values []jsontext.Value) (embedding.Result, error) {
	if len(values) != len(a.Items) {
		return embedding.Result{}, fmt.Errorf("%d vectors for %d items", len(values), len(a.Items))
	}
	r := embedding.Result{ElementType: a.ElementType(), Vectors: make([]embedding.Vector, len(values))}
	width, known := a.Width.Get()
	for i, v := range values {
		vector, got, err := readVector(v, r.ElementType, width)
		if err != nil {
			return embedding.Result{}, fmt.Errorf("the vector of item %d: %w", i, err)
		}
		if !known {
			width, known = got, true
		}
		if got != width {
			return embedding.Result{}, fmt.Errorf("the vector of item %d has %d numbers, not %d", i, got, width)
		}
		r.Vectors[i] = vector
	}
	r.Dimensions = width
	return r, nil
}

// readVector reads the numbers of one vector and says how many they are.
func readVector(v jsontext.Value, elementType string, room int64) (embedding.Vector, int64, error) {
	if v.Kind() != '[' {
		return embedding.Vector{}, 0, fmt.Errorf("it is not a list of numbers")
	}
	room = min(room, int64(len(v)/2))
	var vector embedding.Vector
	packed := int64(1)
	var number func(s string) error
	switch elementType {
	case "float":
		vector.Floats = make([]float32, 0, room)
		number = func(s string) error {
			f, err := strconv.ParseFloat(s, 32)
			if err != nil || math.IsInf(f, 0) {
				return fmt.Errorf("%.40s is out of range", s)
			}
			vector.Floats = append(vector.Floats, float32(f))
			return nil
		}
	case "int8", "binary":
		number = func(s string) error {
			n, err := strconv.ParseInt(s, 10, 8)
			vector.Bytes = append(vector.Bytes, byte(n))
			return rangeError(err, s, elementType)
		}
	case "uint8", "ubinary":
		number = func(s string) error {
			n, err := strconv.ParseUint(s, 10, 8)
			vector.Bytes = append(vector.Bytes, byte(n))
			return rangeError(err, s, elementType)
		}
	default:
		return embedding.Vector{}, 0, fmt.Errorf("%s is not an element type", elementType)
	}
	if elementType == "binary" || elementType == "ubinary" {
		packed = 8
	}
	n := int64(0)
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := dec.ReadToken(); err != nil {
		return embedding.Vector{}, 0, err
	}
	for dec.PeekKind() != ']' {
		x, err := dec.ReadValue()
		if err != nil {
			return embedding.Vector{}, 0, err
		}
		if x.Kind() != '0' {
			return embedding.Vector{}, 0, fmt.Errorf("member %d is not a number", n)
		}
		if err := number(string(x)); err != nil {
			return embedding.Vector{}, 0, err
		}
		n++
	}
	return vector, n * packed, nil
}

func rangeError(err error, s, elementType string) error {
	if err != nil {
		return fmt.Errorf("%.40s is not of element type %s", s, elementType)
	}
	return nil
}
