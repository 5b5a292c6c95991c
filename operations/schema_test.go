package operations_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/typed"
)

// A promise is the schema of a request or a result with the type that it is of.
type promise struct {
	name   string
	op     *op.Operation
	source string
	t      *typed.Type
	schema *jsonschema.Schema
	tree   map[string]any
}

// promises are those of every member.
func promises(t testing.TB) []promise {
	t.Helper()
	var out []promise
	for _, o := range operations.All() {
		request, result := operations.Types(o)
		out = append(out, newPromise(t, o, "request", o.RequestSchema, request), newPromise(t, o, "result", o.ResultSchema, result))
	}
	return out
}

func newPromise(t testing.TB, o *op.Operation, what, source string, of *typed.Type) promise {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(source))
	if err != nil {
		t.Fatalf("%s %s: %v", o.Name, what, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s %s is no JSON Schema: %v", o.Name, what, err)
	}
	return promise{o.Name + " " + what, o, source, of, s, doc.(map[string]any)}
}

// accepts reports whether the schema takes a text.
func (p *promise) accepts(text []byte) bool {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	return err == nil && p.schema.Validate(v) == nil
}

// decode reads a text into a new value of the Go type.
func (p *promise) decode(text []byte) (any, error) {
	v := reflect.New(p.t.Go())
	err := p.t.Decode(text, v.Interface())
	return v.Elem().Interface(), err
}

// TestStructAndSchemaAreEqual: every member of a struct is in its schema under the
// same name, as required or as optional, and the schema has no other.
func TestStructAndSchemaAreEqual(t *testing.T) {
	for _, p := range promises(t) {
		defs, _ := p.tree["$defs"].(map[string]any)
		seen := map[reflect.Type]bool{}
		var walk func(reflect.Type, map[string]any)
		walk = func(of reflect.Type, schema map[string]any) {
			for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8 {
				of = of.Elem()
			}
			if of.Kind() != reflect.Struct || seen[of] || strings.HasPrefix(of.Name(), "Opt[") {
				return
			}
			seen[of] = true
			var names, required []string
			for i := range of.NumField() {
				f := of.Field(i)
				name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
				names = append(names, name)
				if options == "" {
					required = append(required, name)
				}
				in := f.Type
				for in.Kind() == reflect.Pointer || in.Kind() == reflect.Slice {
					in = in.Elem()
				}
				def, _ := defs[in.Name()].(map[string]any)
				walk(f.Type, def)
			}
			var inSchema, requiredThere []string
			properties, _ := schema["properties"].(map[string]any)
			for name := range properties {
				inSchema = append(inSchema, name)
			}
			list, _ := schema["required"].([]any)
			for _, name := range list {
				requiredThere = append(requiredThere, name.(string))
			}
			slices.Sort(names)
			slices.Sort(inSchema)
			if !slices.Equal(names, inSchema) || !slices.Equal(required, requiredThere) || schema["additionalProperties"] != false {
				t.Errorf("%s: %s has %v (required %v), its schema %v (required %v)", p.name, of, names, required, inSchema, requiredThere)
			}
		}
		walk(p.t.Go(), p.tree)
		if len(seen) != len(defs)+1 {
			t.Errorf("%s: %d types and %d schemas", p.name, len(seen), len(defs)+1)
		}
	}
}

// TestSettingsAreTheRegistrys: the settings of a request are those that the registry
// declares, with the same words.
func TestSettingsAreTheRegistrys(t *testing.T) {
	elsewhere := map[string]string{"response_schema": "a member of the request itself"}
	beside := map[string]string{"tool_name": "what tool_choice speaks of"}
	for _, o := range operations.All() {
		p := newPromise(t, o, "request", o.RequestSchema, func() *typed.Type { r, _ := operations.Types(o); return r }())
		defs, _ := p.tree["$defs"].(map[string]any)
		settings, _ := defs["Settings"].(map[string]any)
		properties, _ := settings["properties"].(map[string]any)
		for name := range properties {
			if !slices.Contains(o.SettingNames(), name) && beside[name] == "" {
				t.Errorf("%s: the setting %q is not in the registry", o.Name, name)
			}
		}
		if len(o.Settings) > 64 {
			t.Errorf("%s: %d settings do not fit into the bits that tell them apart", o.Name, len(o.Settings))
		}
		for _, s := range o.Settings {
			schema, ok := properties[s.Name].(map[string]any)
			if !ok {
				if elsewhere[s.Name] == "" {
					t.Errorf("%s: a request has no place for %q", o.Name, s.Name)
				}
				continue
			}
			var words []string
			list, _ := schema["enum"].([]any)
			for _, w := range list {
				words = append(words, w.(string))
			}
			if !slices.Equal(words, s.Values) {
				t.Errorf("%s: %s is %v in the schema and %v in the registry", o.Name, s.Name, words, s.Values)
			}
		}
	}
}

// A maker makes random JSON that a schema accepts, from the schema alone.
type maker struct {
	*rand.Rand
	defs  map[string]any
	depth int
}

func (m *maker) text() string {
	words := []string{"a", "ja/nein", "é\u2028\"\\", "0", "a b c", "\U0001F600", strings.Repeat("long ", 20)}
	return words[m.IntN(len(words))]
}

func (m *maker) value(schema map[string]any) any {
	if ref, ok := schema["$ref"].(string); ok {
		schema = m.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if words, ok := schema["enum"].([]any); ok {
		return words[m.IntN(len(words))]
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok {
		kind = kinds[m.IntN(len(kinds))].(string)
	}
	switch kind {
	case "object":
		return m.object(schema)
	case "array":
		items, ok := schema["items"].(map[string]any)
		if !ok {
			return []any{1, "x", map[string]any{"y": nil}}
		}
		return m.list(schema, items)
	case "string":
		return m.string(schema)
	case "integer":
		from, to := schema["minimum"].(json.Number), schema["maximum"].(json.Number)
		return []any{from, to}[m.IntN(2)]
	case "number":
		return []any{0, -1.5, 3.25e-7, 12345678}[m.IntN(4)]
	case "boolean":
		return m.IntN(2) == 0
	}
	return []any{map[string]any{}, "x", []any{}, 1.5}[m.IntN(4)]
}

func (m *maker) list(schema, items map[string]any) any {
	n := m.IntN(3)
	if m.depth > 6 {
		n = 0
	}
	if schema["minItems"] != nil && n == 0 {
		n = 1
	}
	m.depth++
	defer func() { m.depth-- }()
	out := []any{}
	for range n {
		out = append(out, m.value(items))
	}
	return out
}

func (m *maker) string(schema map[string]any) string {
	pattern, _ := schema["pattern"].(string)
	switch {
	case schema["contentEncoding"] != nil:
		return []string{"AA==", "AQI=", "AQID"}[m.IntN(3)]
	case strings.Contains(pattern, "A-Za-z"):
		return "a_name-1"
	case pattern != "":
		return []string{"0", "1", "0.25"}[m.IntN(3)] // of every range
	}
	return m.text()
}

func (m *maker) object(schema map[string]any) any {
	out := map[string]any{}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		values, ok := schema["additionalProperties"].(map[string]any)
		if !ok {
			return map[string]any{"type": "object", "x": []any{1, 2.5}}
		}
		for range 1 + m.IntN(2) {
			out[m.text()] = m.value(values)
		}
		return out
	}
	required, _ := schema["required"].([]any)
	m.depth++
	defer func() { m.depth-- }()
	for _, name := range slices.Sorted(maps.Keys(properties)) { // in one order, or the same seed makes other values
		if slices.Contains(required, any(name)) || m.depth < 5 && m.IntN(2) == 0 {
			out[name] = m.value(properties[name].(map[string]any))
		}
	}
	return out
}

func (p *promise) maker(seed uint64) *maker {
	defs, _ := p.tree["$defs"].(map[string]any)
	return &maker{Rand: rand.New(rand.NewPCG(seed, 1)), defs: defs}
}

// TestRandomValuesRoundTrip: what a schema accepts is decoded; encoded again it is
// accepted, and it comes back as the same value.
func TestRandomValuesRoundTrip(t *testing.T) {
	for _, p := range promises(t) {
		m := p.maker(1)
		for range 100 {
			text, err := json.Marshal(m.value(p.tree))
			if err != nil {
				t.Fatal(err)
			}
			if !p.accepts(text) {
				t.Fatalf("%s: the test makes what the schema refuses: %s", p.name, text)
			}
			v, err := p.decode(text)
			if err != nil {
				t.Fatalf("%s: %v\n%s", p.name, err, text)
			}
			again, err := operations.Encode(v)
			if err != nil {
				t.Fatalf("%s: %v\n%s", p.name, err, text)
			}
			if !p.accepts(again) {
				t.Fatalf("%s: is encoded as what the schema refuses\n%s\n%s", p.name, text, again)
			}
			back, err := p.decode(again)
			if err != nil || !cmp.Equal(v, back, cmp.Exporter(func(reflect.Type) bool { return true })) {
				t.Fatalf("%s: %v: comes back as another value\n%s\n%s", p.name, err, text, again)
			}
			a, b := canonical(t, text), canonical(t, again)
			same := func(s string) bool { return strings.Contains(a, s) } // as leaving it out
			if a != b && !same(`"settings":{}`) && !same(`"lower_cap":false`) && !same(`"inside":false`) {
				t.Fatalf("%s: something is lost\n%s\n%s", p.name, a, b)
			}
		}
	}
}

func canonical(t *testing.T, text []byte) string {
	v := jsontext.Value(slices.Clone(text))
	if err := v.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	return string(v)
}

// TestSchemaAndDecoderAgree: of texts with one thing changed, the decoder refuses
// exactly those that the schema refuses.
func TestSchemaAndDecoderAgree(t *testing.T) {
	seen := map[bool]int{}
	for _, p := range promises(t) {
		m := p.maker(2)
		for range 700 {
			text, err := json.Marshal(m.spoil(m.value(p.tree)))
			if err != nil {
				t.Fatal(err)
			}
			accepts := p.accepts(text)
			seen[accepts]++
			if _, err := p.decode(text); (err == nil) != accepts {
				t.Fatalf("%s: the schema accepts it: %v; the decoder: %v\n%s", p.name, accepts, err, text)
			}
		}
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("the test tries too little of one kind: %v", seen)
	}
}

// spoil changes one thing somewhere in a value.
func (m *maker) spoil(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 && m.IntN(5) > 0 {
			names := make([]string, 0, len(x))
			for name := range x {
				names = append(names, name)
			}
			slices.Sort(names)
			name := names[m.IntN(len(names))]
			switch m.IntN(5) {
			case 0:
				delete(x, name)
			case 1:
				x[strings.ToUpper(name)] = x[name]
				delete(x, name)
			case 2:
				x[name+"x"] = 1
			default:
				x[name] = m.spoil(x[name])
			}
			return x
		}
	case []any:
		if len(x) > 0 && m.IntN(5) > 0 {
			i := m.IntN(len(x))
			x[i] = m.spoil(x[i])
			return x
		}
	}
	return oddities[m.IntN(len(oddities))]
}

var oddities = []any{nil, true, "", "x", "0.70", "-0", "1.0", "0.7", "-2", "2", "-2.5", "3", "00", "text", "Text", "user", "AA=", "AB==", "AA==\n", 0, 1, -1, 0.5,
	json.Number("1.0"), json.Number("2e0"), json.Number("1e400"), json.Number("9223372036854775808"), json.Number("9007199254740991"), json.Number("9007199254740992"), json.Number("-0.0"), json.Number("3.4028235e38"),
	map[string]any{}, []any{}, []any{"text"}, map[string]any{"kind": "text"}, strings.Repeat("n", 65)}

// FuzzDecode: the decoder accepts exactly the JSON that the schema accepts, and what
// it reads is encoded as what it reads again.
func FuzzDecode(f *testing.F) {
	all := promises(f)
	for i := range all {
		m := all[i].maker(3)
		for range 5 {
			text, err := json.Marshal(m.value(all[i].tree))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		p := all[int(which)%len(all)]
		v, err := p.decode(text)
		if !jsontext.Value(text).IsValid() || strings.ContainsAny(string(text), "eE") && len(text) > 1000 {
			return // names twice and wrong UTF-8 are no matter of schemas
		}
		if accepts := p.accepts(text); accepts != (err == nil) {
			t.Fatalf("%s: the schema accepts it: %v; the decoder: %v", p.name, accepts, err)
		}
		if err != nil {
			return
		}
		again, err := operations.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := p.decode(again); err != nil || !cmp.Equal(v, back, cmp.Exporter(func(reflect.Type) bool { return true })) {
			t.Fatalf("%s: %v: comes back as another value: %s", p.name, err, again)
		}
	})
}

// TestDecodeTeaches: each mistake is said with its place, what was got, what is
// allowed and how it is mended.
func TestDecodeTeaches(t *testing.T) {
	for _, tc := range []struct{ name, operation, text, want string }{
		{"an unknown member", "embedding", `{"itmes":[{"kind":"text"}]}`, `/itmes: "itmes" is not a member here; allowed: items, settings, input_tokens; did you mean "items"?` + "\n" + `"items" is missing; add it: a list`},
		{"the wrong case", "embedding", `{"Items":[{"kind":"text"}],"items":[{"kind":"text"}]}`, `/Items: "Items" is not a member here; allowed: items, settings, input_tokens; case matters: write "items"`},
		{"a name twice", "embedding", `{"items":[{"kind":"text","kind":"text"}]}`, `/items/0/kind: the member stands here twice; keep one`},
		{"a wrong type", "embedding", `{"items":"text"}`, `/items: got a text where a list belongs`},
		{"null", "embedding", `{"items":[{"kind":"text"}],"input_tokens":null}`, `/input_tokens: got null where a whole number belongs; null states nothing: leave the member out`},
		{"an unknown word", "embedding", `{"items":[{"kind":"txt"}]}`, `/items/0/kind: got "txt"; allowed: text, image, audio, video, pdf; did you mean "text"?`},
		{"an empty list", "embedding", `{"items":[]}`, `/items: the list has no items; add one, or leave the member out where it may be left out`},
		{"a count of none", "embedding", `{"items":[{"kind":"text"}],"settings":{"dimensions":0}}`, `/settings/dimensions: got 0; allowed: a whole number, 1 to 9007199254740991`},
		{"a count with a fraction", "embedding", `{"items":[{"kind":"text"}],"settings":{"dimensions":1.5}}`, `/settings/dimensions: got 1.5; allowed: a whole number, 1 to 9007199254740991`},
		{"a number that belongs in quotes", "text_generation", `{"messages":[{"role":"user"}],"settings":{"temperature":0.7}}`, `/settings/temperature: got a number where a decimal number in quotes belongs; write "0.7", in quotes`},
		{"another spelling of a number", "text_generation", `{"messages":[{"role":"user"}],"settings":{"temperature":"0.70"}}`, `/settings/temperature: got "0.70"; write it as "0.7"`},
		{"a number out of its range", "text_generation", `{"messages":[{"role":"user"}],"settings":{"top_p":"1.5"}}`, `/settings/top_p: got "1.5"; allowed: 0 to 1`},
		{"one stop without its list", "text_generation", `{"messages":[{"role":"user"}],"settings":{"stop":"END"}}`, `/settings/stop: got a text where a list belongs; write ["END"]`},
		{"no object", "decision_evaluation", `[]`, `got a list where an object belongs`},
		{"nothing", "decision_evaluation", ` `, `there is no JSON: a decision_evaluation request is an object`},
		{"a cut-off text", "moderation", `{"items":[`, "/items"},
		{"two texts", "moderation", `{"items":[{"kind":"text"}]} {}`, `something follows the moderation request`},
		{"an operation that is none", "chat", `{}`, `UNKNOWN_OPERATION`},
		{"an operation's old name", "decisions", `{}`, `UNKNOWN_OPERATION`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, err := operations.DecodeNamed(tc.operation, []byte(tc.text))
			if err == nil {
				t.Fatalf("is read as %v", v)
			}
			if got := err.Error(); got != tc.want && !(len(tc.want) < 20 && strings.Contains(got, tc.want)) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestDecodeIsBounded: a text with thousands of mistakes is a short list, and what
// is repeated of it is short.
func TestDecodeIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `,"%s%d":1`, strings.Repeat("x", 500), i)
	}
	_, err := operations.DecodeNamed("moderation", []byte(`{"items":[{"kind":"text"}]`+b.String()+`}`))
	if err == nil || len(err.Error()) > 20000 {
		t.Errorf("%d bytes of error", len(fmt.Sprint(err)))
	}
}

// TestCountsAreExact: the largest number that every reader of JSON holds exactly is
// read, and one more is refused.
func TestCountsAreExact(t *testing.T) {
	v, err := operations.DecodeNamed("moderation", []byte(`{"items":[{"kind":"text"}],"input_tokens":9007199254740991}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := reflect.ValueOf(v).FieldByName("InputTokens").Interface(); got != catalog.Known[int64](9007199254740991) {
		t.Errorf("read as %v", got)
	}
	if _, err := operations.DecodeNamed("moderation", []byte(`{"items":[{"kind":"text"}],"input_tokens":9007199254740992}`)); err == nil {
		t.Error("a number that others would round is read")
	}
}
