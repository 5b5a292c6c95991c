package operations

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Traits are what a table keeps of a contract: rows share few contracts, and each is
// asked once. What it may give is read off its keys and can be too much; what it
// gives freely is what admission's own judgement took, alone and all together.
type traits struct {
	serves    bool // some wire has an endpoint and a codec, and nothing stands in the way
	may, free wantSet
	billed    uint64 // the meters that it names, by number; 0 if it names none
	width     int64  // of a vector that nobody asks a width for; 0 if unknown
	widths    []int64
	low, high int64 // a range of widths; 0 if there is none
}

// A wantSet is a set of wants by number.
type wantSet [3]uint64

func (s *wantSet) add(want int)      { s[want>>6] |= 1 << (want & 63) }
func (s *wantSet) has(want int) bool { return s[want>>6]>>(want&63)&1 != 0 }

// A contractReader asks one contract.
type contractReader struct {
	v *vocabulary
	c *catalog.Contract
	p *promise
	n op.Needs
	s scene

	terms   Terms  // name the wire that is asked
	carried uint64 // the settings that some wire has a place for

	settings [32]op.SettingValue
	kinds    [24]string
}

func traitsOf(v *vocabulary, o *op.Operation, c *catalog.Contract, p *catalog.Provider) traits {
	r := contractReader{v: v, c: c, p: promiseOf(o, c, p)}
	r.s = scene{p: r.p, n: &r.n, quiet: true}
	t := traits{serves: r.takes(nil)}
	wires, always := r.wires()
	var apart []int // what can be free, tools and schemas aside
	for i := range v.wants {
		w := &v.wants[i]
		if !r.may(w, always, i) {
			continue
		}
		t.may.add(i)
		if w.kind > wantStructured && w.kind != wantValue && !(w.kind == wantSetting && conditional(&r.p.options[w.place])) {
			apart = append(apart, i)
		}
	}
	if t.serves {
		for _, i := range r.freest(wires, apart, &t.may) {
			t.free.add(i)
		}
	}
	for _, name := range c.Meters {
		t.billed |= 1 << meterNumbers()[name]
	}
	t.vectors(c)
	return t
}

// wires are those that take what they take whatever else is asked for; always, if
// all do. It notes what any wire has a place for.
func (r *contractReader) wires() (names []string, always bool) {
	always = true
	for i := range r.p.wires {
		w := &r.p.wires[i]
		if !w.serves() {
			continue
		}
		r.carried |= w.carries
		if w.when == nil {
			names = append(names, w.name)
		} else {
			always = false
		}
	}
	return names, always
}

// freest finds the most wants that one wire takes all at once, so that it takes any
// of them without another's help.
func (r *contractReader) freest(wires []string, apart []int, may *wantSet) (most []int) {
	defer func() { r.terms.Protocol = "" }()
	for _, r.terms.Protocol = range wires {
		together := r.largest(apart)
		for i := range wantsAlone {
			if more := append([]int{i}, together...); may.has(i) && r.takes(more) {
				together = more
			}
		}
		if len(together) > len(most) {
			most = together
		}
	}
	return most
}

// wantsAlone are tools and schemas, the first wants: settings may need them.
const wantsAlone = 2

// largest finds wants that the contract gives all at once: all of them, or else what
// is left of each half, or else as many as go together.
func (r *contractReader) largest(wants []int) []int {
	if r.takes(wants) {
		return wants
	}
	if len(wants) == 1 {
		return nil
	}
	half := len(wants) / 2
	left, right := r.largest(wants[:half]), r.largest(wants[half:])
	if both := append(slices.Clip(left), right...); len(both) < len(wants) && r.takes(both) {
		return both
	}
	for _, i := range right {
		if more := append(slices.Clip(left), i); r.takes(more) {
			left = more
		}
	}
	return left
}

// may reports whether the contract can give a want at all. Tools and schemas are
// taken or not, and asked for alone, unless a wire has conditions.
func (r *contractReader) may(w *want, always bool, number int) bool {
	switch w.kind {
	case wantInput:
		return slices.Contains(r.c.InputKinds, w.name)
	case wantOutput:
		return slices.Contains(r.c.OutputKinds, w.name)
	case wantQuestion:
		return r.c.DecisionEvaluation != nil && slices.Contains(r.c.DecisionEvaluation.QuestionKinds, w.name)
	case wantSetting, wantValue:
		o := &r.p.options[w.place]
		return r.carried>>w.place&1 != 0 && (o.said == supported || o.said == ruled && (w.value == "" || mayBe(o.rules, w.value)))
	}
	return !always || r.takes([]int{number})
}

// mayBe reports whether some rule of a setting lets it have a word.
func mayBe(rules []rule, word string) bool {
	return rules == nil || slices.ContainsFunc(rules, func(r rule) bool {
		return r.Values == nil || slices.ContainsFunc(r.Values, func(v catalog.Value) bool { return v.String() == word })
	})
}

// conditional reports whether what a setting may be depends on the rest of a request.
func conditional(o *option) bool {
	return slices.ContainsFunc(o.rules, func(r rule) bool { return r.when != nil })
}

// takes asks admission whether the contract gives all of some wants in one request.
func (r *contractReader) takes(wants []int) bool {
	n := &r.n
	n.Reset()
	n.Partial = true
	n.For(r.p.op)
	n.Settings, n.Inputs, n.Outputs, n.Questions = r.settings[:0], r.kinds[:0:8], r.kinds[8:8:16], r.kinds[16:16]
	for _, i := range wants {
		switch w := &r.v.wants[i]; w.kind {
		case wantTools:
			n.Tools = true
		case wantStructured:
			n.Structured = true
			if at := settingPlace(r.p.op, schemaSetting); at >= 0 {
				n.Ask(at, catalog.BoolValue(true))
			}
		case wantInput:
			n.Inputs = append(n.Inputs, w.name)
		case wantOutput:
			n.Outputs = append(n.Outputs, w.name)
		case wantQuestion:
			n.Questions = append(n.Questions, w.name)
		case wantSetting:
			if !(n.Structured && w.name == schemaSetting) {
				n.Ask(w.place, catalog.Value{})
			}
		}
	}
	return r.p.judge(&r.s, &r.terms)
}

// schemaSetting is the option that a request with a response schema asks for.
const schemaSetting = "response_schema"

// toolSetting is an option that only operations with tools have.
const toolSetting = "tool_choice"

// vectors notes the widths that an embedding may have.
func (t *traits) vectors(c *catalog.Contract) {
	if c.Embedding == nil || c.Embedding.Dimensions == nil {
		return
	}
	d := c.Embedding.Dimensions
	t.width, t.widths = d.Default, append([]int64{d.Default}, d.Allowed...)
	low, hasLow := d.Min.Get()
	high, hasHigh := d.Max.Get()
	if hasLow || hasHigh {
		t.low, t.high = max(low, 1), forever
		if hasHigh {
			t.high = high
		}
		t.widths = append(t.widths, t.low)
		if hasHigh {
			t.widths = append(t.widths, t.high)
		}
	}
}

// mayGive reports whether a vector can have a width, whatever the settings say.
func (t *traits) mayGive(width int64) bool {
	return width == t.width || slices.Contains(t.widths, width) || t.low > 0 && t.low <= width && width <= t.high
}
