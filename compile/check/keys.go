package check

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// A row's tables are read once, into arrays with a place for each key. The
// places are the keys' positions in their tables, looked up here by name.

// wide is as many keys as any table that is read this way may have.
const wide = 48

// kids are the children of one table by the position of their keys.
type kids [wide]*tree.Node

// read puts the children of a table in their places. A key that its table does
// not have, which only a broken fragment can hold, has no place.
func (k *kids) read(n *tree.Node) {
	*k = kids{}
	for c := n.First(); c != nil; c = c.Next() {
		if i := c.Key.Index; i >= 0 && i < wide {
			k[i] = c
		}
	}
}

var (
	model     = form.Model
	kWire     = at(model, "wire_model")
	kLogical  = at(model, "logical_model")
	kGroup    = at(model, "equivalence_group")
	kReleased = at(model, "released")
	kSnapshot = at(model, "snapshot")
	kSelects  = at(model, "selects")
	kCurrent  = at(model, "current")
	kVersion  = at(model, "version")
	kInherits = at(model, "inherits")
	kLimits   = at(model, "limits")
	kLife     = at(model, "lifecycle")
	kPrice    = at(model, "price")
	kRegion   = at(model, "region")
	kRegional = at(model, "regional_only")
	kQuota    = at(model, "quota")
	kControls = at(model, "data_controls")
	kMemory   = at(model, "local_memory")
	kTier     = at(model, "tier")
	kMode     = at(model, "reasoning_mode")
	kListed   = at(model, "listed_as")
	kDiffers  = at(model, "disagreement")
	kShown    = at(model, "presentation")
	kMeta     = at(model, "metadata")

	kContext   = at(form.Limits, "context_tokens")
	kInput     = at(form.Limits, "input_tokens")
	kOutput    = at(form.Limits, "output_tokens")
	kRuntime   = at(form.Limits, "runtime_context_tokens")
	kLimSource = at(form.Limits, "source")
	kLimDate   = at(form.Limits, "checked_on")

	kDeprecated = at(form.Lifecycle, "deprecated")
	kNote       = at(form.Lifecycle, "note")
	kEnds       = at(form.Lifecycle, "ends_on")
	kAnnounced  = at(form.Lifecycle, "announced_end")
	kSuccessor  = at(form.Lifecycle, "successor")
	kLifeSource = at(form.Lifecycle, "source")
	kLifeDate   = at(form.Lifecycle, "checked_on")

	pMeter     = at(form.Price, "meter")
	pMillion   = at(form.Price, "usd_per_million")
	pUnit      = at(form.Price, "usd_per_unit")
	pCurrency  = at(form.Price, "currency")
	pCurMil    = at(form.Price, "per_million")
	pCurUnit   = at(form.Price, "per_unit")
	pDynamic   = at(form.Price, "dynamic")
	pCeiling   = at(form.Price, "ceiling")
	pTier      = at(form.Price, "service_tier")
	pOperation = at(form.Price, "operation")
	pLifetime  = at(form.Price, "cache_lifetime")
	pRegion    = at(form.Price, "region")
	pVariant   = at(form.Price, "variant")
	pTool      = at(form.Price, "tool")
	pAbove     = at(form.Price, "above_input_tokens")
	pFrom      = at(form.Price, "valid_from")
	pUntil     = at(form.Price, "valid_until")
	pWindow    = at(form.Price, "window")
	pGuard     = at(form.Price, "above_guard")
	pSource    = at(form.Price, "source")
	pDate      = at(form.Price, "checked_on")
)

// The keys of a setting's rule stand alike for every setting.
const (
	sValues = iota
	sMin
	sMax
	sDefault
	sRequired
	sWhen
)

// at is the position of a key in its table.
func at(t *shape.Table, name string) int { return t.Must(name).Index }

// opKeys are the positions of a contract's keys; -1 for a key that the
// operation's contracts do not have.
type opKeys struct {
	op    *op.Operation
	table *shape.Table

	implementation, protocol, dialect, inputs, outputs, settings, limits, meters, uncertainty, evidence int

	tools, structured, reasoning, cache, batch, files, image, routing int // text_generation
	dimensions, elements                                              int // embedding
	kinds, evidenceKind, upstream                                     int // decision_evaluation
	truncates, searchUnit                                             int // reranking

	settingsTable, limitsTable *shape.Table
	billable                   uint64 // its meters, by their place in the list of all
	exclusive                  int    // position of "exclusive" among the settings
}

var contracts = func() []*opKeys {
	var all []*opKeys
	for _, o := range operations.All() {
		t := form.Operations.Must(o.Name).Type.Table
		pos := func(name string) int {
			if k := t.Key(name); k != nil && k.Moved == "" {
				return k.Index
			}
			return -1
		}
		k := &opKeys{op: o, table: t,
			implementation: pos("implementation"), protocol: pos("protocol"), dialect: pos("dialect"), inputs: pos("input_kinds"), outputs: pos("output_kinds"),
			settings: pos("settings"), limits: pos("limits"), meters: pos("meters"), uncertainty: pos("uncertainty"), evidence: pos("evidence"),
			tools: pos("tools"), structured: pos("structured"), reasoning: pos("reasoning"), cache: pos("cache"), batch: pos("batch"),
			files: pos("files"), image: pos("image"), routing: pos("routing"),
			dimensions: pos("dimensions"), elements: pos("element_types"),
			kinds: pos("question_kinds"), evidenceKind: pos("evidence_kind"), upstream: pos("upstream"),
			truncates: pos("truncates"), searchUnit: pos("search_unit"),
			exclusive: -1,
		}
		if k.settings >= 0 {
			k.settingsTable = t.Keys[k.settings].Type.Table
			k.exclusive = at(k.settingsTable, "exclusive")
		}
		if k.limits >= 0 {
			k.limitsTable = t.Keys[k.limits].Type.Table
		}
		for _, m := range o.Meters {
			k.billable |= 1 << meterIndex(m)
		}
		all = append(all, k)
	}
	return all
}()

func keysOf(o *op.Operation) *opKeys {
	for _, k := range contracts {
		if k.op == o {
			return k
		}
	}
	return nil
}

var meterNames = catalog.Meters()

// meterIndex is the place of a meter in the list of all; the last place and one
// for a name that is none.
func meterIndex(name string) int {
	for i, m := range meterNames {
		if m == name {
			return i
		}
	}
	return len(meterNames)
}

// perMillion tells for each meter whether its price is for a million.
var perMillion = func() []bool {
	out := make([]bool, len(meterNames)+1)
	for i, name := range meterNames {
		m, _ := catalog.LookupMeter(name)
		out[i] = m.Million
	}
	return out
}()
