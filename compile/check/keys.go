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

// kids are the children of one table by the position of their keys.
type kids []*tree.Node

// read puts the children of a table, which may have so many keys, in their places.
// A key that its table does not have, such as a mark of an earlier stage, has none.
func (k *kids) read(n *tree.Node, keys int) {
	if cap(*k) < keys {
		*k = make(kids, keys)
	} else {
		*k = (*k)[:keys]
		clear(*k)
	}
	for c := n.First(); c != nil; c = c.Next() {
		if i := c.Key.Index; i >= 0 && i < keys {
			(*k)[i] = c
		}
	}
}

// at is the child at a position; nil for a key that the table does not have.
func (k kids) at(i int) *tree.Node {
	if i < 0 || i >= len(k) {
		return nil
	}
	return k[i]
}

var (
	model     = form.Model
	kWire     = position(model, "wire_model")
	kLogical  = position(model, "logical_model")
	kGroup    = position(model, "equivalence_group")
	kReleased = position(model, "released")
	kSnapshot = position(model, "snapshot")
	kSelects  = position(model, "selects")
	kCurrent  = position(model, "current")
	kVersion  = position(model, "version")
	kLimits   = position(model, "limits")
	kLife     = position(model, "lifecycle")
	kPrice    = position(model, "price")
	kRegion   = position(model, "region")
	kRegional = position(model, "regional_only")
	kQuota    = position(model, "quota")
	kControls = position(model, "data_controls")
	kMemory   = position(model, "local_memory")
	kTier     = position(model, "tier")
	kMode     = position(model, "reasoning_mode")
	kListed   = position(model, "listed_as")
	kDiffers  = position(model, "disagreement")
	kShown    = position(model, "presentation")
	kMeta     = position(model, "metadata")

	kContext   = position(form.Limits, "context_tokens")
	kInput     = position(form.Limits, "input_tokens")
	kOutput    = position(form.Limits, "output_tokens")
	kRuntime   = position(form.Limits, "runtime_context_tokens")
	kLimSource = position(form.Limits, "source")
	kLimDate   = position(form.Limits, "checked_on")

	kDeprecated = position(form.Lifecycle, "deprecated")
	kNote       = position(form.Lifecycle, "note")
	kEnds       = position(form.Lifecycle, "ends_on")
	kAnnounced  = position(form.Lifecycle, "announced_end")
	kSuccessor  = position(form.Lifecycle, "successor")
	kLifeSource = position(form.Lifecycle, "source")
	kLifeDate   = position(form.Lifecycle, "checked_on")

	pMeter     = position(form.Price, "meter")
	pMillion   = position(form.Price, "usd_per_million")
	pUnit      = position(form.Price, "usd_per_unit")
	pCurrency  = position(form.Price, "currency")
	pCurMil    = position(form.Price, "per_million")
	pCurUnit   = position(form.Price, "per_unit")
	pDynamic   = position(form.Price, "dynamic")
	pCeiling   = position(form.Price, "ceiling")
	pTier      = position(form.Price, "service_tier")
	pOperation = position(form.Price, "operation")
	pLifetime  = position(form.Price, "cache_lifetime")
	pRegion    = position(form.Price, "region")
	pVariant   = position(form.Price, "variant")
	pTool      = position(form.Price, "tool")
	pAbove     = position(form.Price, "above_input_tokens")
	pFrom      = position(form.Price, "valid_from")
	pUntil     = position(form.Price, "valid_until")
	pWindow    = position(form.Price, "window")
	pGuard     = position(form.Price, "above_guard")
	pSource    = position(form.Price, "source")
	pDate      = position(form.Price, "checked_on")
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

// position is where a key stands in its table.
func position(t *shape.Table, name string) int { return t.Must(name).Index }

// opKeys are the positions of a contract's keys; -1 for a key that the
// operation's contracts do not have.
type opKeys struct {
	op    *op.Operation
	index int // its place among the operations
	table *shape.Table

	protocol, inputs, settings, limits, meters, uncertainty, evidence int

	tools, structured, reasoning, cache, batch, files, image, routing int // text_generation
	dimensions, elements                                              int // embedding
	kinds, evidenceKind, upstream                                     int // decision_evaluation
	truncates, searchUnit                                             int // reranking

	settingsTable *shape.Table
	limitKeys     int
	lim           limitKeys
	set           settingKeys
	merged        []*shape.Key // what a contract must say
	billable      uint64       // its meters, by their place in the list of all
	exclusive     int          // position of "exclusive" among the settings
}

// limitKeys are the positions of a contract's limits; -1 for one that it has not.
type limitKeys struct {
	input, request, state, query, document, images, levelsMin, levelsMax, options int
}

// settingKeys are the positions of the settings that other facts speak of.
type settingKeys struct {
	maxOutput, dimensions, element, schema, toolChoice, thinking, lifetime, cache, truncate int
}

var contracts = func() []*opKeys {
	var all []*opKeys
	for _, o := range operations.All() {
		t := form.Operations.Must(o.Name).Type.Table
		pos := within(t)
		k := &opKeys{op: o, index: len(all), table: t,
			protocol: pos("protocol"), inputs: pos("input_kinds"),
			settings: pos("settings"), limits: pos("limits"), meters: pos("meters"), uncertainty: pos("uncertainty"), evidence: pos("evidence"),
			tools: pos("tools"), structured: pos("structured"), reasoning: pos("reasoning"), cache: pos("cache"), batch: pos("batch"),
			files: pos("files"), image: pos("image"), routing: pos("routing"),
			dimensions: pos("dimensions"), elements: pos("element_types"),
			kinds: pos("question_kinds"), evidenceKind: pos("evidence_kind"), upstream: pos("upstream"),
			truncates: pos("truncates"), searchUnit: pos("search_unit"),
			exclusive: -1,
		}
		for _, key := range t.Keys {
			if key.Need == shape.Merged {
				k.merged = append(k.merged, key)
			}
		}
		setting := func(string) int { return -1 }
		if k.settings >= 0 {
			k.settingsTable = t.Keys[k.settings].Type.Table
			setting = within(k.settingsTable)
			k.exclusive = position(k.settingsTable, "exclusive")
		}
		k.set = settingKeys{setting("max_output_tokens"), setting("dimensions"), setting("element_type"), setting("response_schema"), setting("tool_choice"),
			setting("thinking"), setting("prompt_cache_ttl"), setting("cache"), setting("truncate")}
		limit := func(string) int { return -1 }
		if k.limits >= 0 {
			limits := t.Keys[k.limits].Type.Table
			limit, k.limitKeys = within(limits), len(limits.Keys)
		}
		k.lim = limitKeys{limit("input_tokens"), limit("request_tokens"), limit("state_tokens"), limit("query_tokens"), limit("document_tokens"),
			limit("images"), limit("score_levels_min"), limit("score_levels_max"), limit("choice_options")}
		for _, m := range o.Meters {
			k.billable |= 1 << meterIndex(m)
		}
		all = append(all, k)
	}
	return all
}()

// within looks up positions in a table; -1 for a key that it does not have.
func within(t *shape.Table) func(string) int {
	return func(name string) int {
		if k := t.Key(name); k != nil && k.Moved == "" {
			return k.Index
		}
		return -1
	}
}

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
