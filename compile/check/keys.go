package check

import (
	"sync"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// A row's tables are read once, into arrays with a place for each key. The
// places are the keys' positions in their tables, looked up here by name.

// view is what is looked at of a value: what it says, wherever that was said first, or
// the value in its own place.
func view(n *tree.Node, placed bool) *tree.Node {
	if placed {
		return n
	}
	return n.Said()
}

// kids are the children of one table by the position of their keys.
type kids []*tree.Node

// read puts the children of a table, which may have so many keys, in their places.
// A key that its table does not have, such as a mark of an earlier stage, has none.
func (k *kids) read(n *tree.Node, keys int, placed bool) {
	if cap(*k) < keys {
		*k = make(kids, keys)
	} else {
		*k = (*k)[:keys]
		clear(*k)
	}
	for c := view(n, placed).First(); c != nil; c = c.Next() {
		if i := c.Key.Index; i >= 0 && i < keys {
			(*k)[i] = view(c, placed)
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

// Where the keys of rows and of their tables stand.
var (
	kWire, kLogical, kGroup, kReleased, kSnapshot, kSelects, kCurrent, kVersion, kLimits int
	kLife, kPrice, kRegion, kRegional, kQuota, kControls, kMemory, kTier, kMode          int
	kListed, kDiffers, kShown, kMeta                                                     int
	kContext, kInput, kOutput, kRuntime, kLimSource, kLimDate                            int
	kDeprecated, kNote, kEnds, kAnnounced, kSuccessor, kLifeSource, kLifeDate            int
	pMeter, pMillion, pUnit, pCurrency, pCurMil, pCurUnit, pDynamic, pCeiling, pTier     int
	pOperation, pLifetime, pRegion, pVariant, pTool, pAbove, pFrom, pUntil, pWindow      int
	pGuard, pSource, pDate                                                               int
)

// load looks the places up, and makes what rests on them, before the first check. The
// formats are made when they are needed, so it cannot be done sooner.
var load = sync.OnceFunc(func() {
	at := positions(form.Model())
	kWire = at("wire_model")
	kLogical = at("logical_model")
	kGroup = at("equivalence_group")
	kReleased = at("released")
	kSnapshot = at("snapshot")
	kSelects = at("selects")
	kCurrent = at("current")
	kVersion = at("version")
	kLimits = at("limits")
	kLife = at("lifecycle")
	kPrice = at("price")
	kRegion = at("region")
	kRegional = at("regional_only")
	kQuota = at("quota")
	kControls = at("data_controls")
	kMemory = at("local_memory")
	kTier = at("tier")
	kMode = at("reasoning_mode")
	kListed = at("listed_as")
	kDiffers = at("disagreement")
	kShown = at("presentation")
	kMeta = at("metadata")

	at = positions(form.Limits())
	kContext = at("context_tokens")
	kInput = at("input_tokens")
	kOutput = at("output_tokens")
	kRuntime = at("runtime_context_tokens")
	kLimSource = at("source")
	kLimDate = at("checked_on")

	at = positions(form.Lifecycle())
	kDeprecated = at("deprecated")
	kNote = at("note")
	kEnds = at("ends_on")
	kAnnounced = at("announced_end")
	kSuccessor = at("successor")
	kLifeSource = at("source")
	kLifeDate = at("checked_on")

	at = positions(form.Price())
	pMeter = at("meter")
	pMillion = at("usd_per_million")
	pUnit = at("usd_per_unit")
	pCurrency = at("currency")
	pCurMil = at("per_million")
	pCurUnit = at("per_unit")
	pDynamic = at("dynamic")
	pCeiling = at("ceiling")
	pTier = at("service_tier")
	pOperation = at("operation")
	pLifetime = at("cache_lifetime")
	pRegion = at("region")
	pVariant = at("variant")
	pTool = at("tool")
	pAbove = at("above_input_tokens")
	pFrom = at("valid_from")
	pUntil = at("valid_until")
	pWindow = at("window")
	pGuard = at("above_guard")
	pSource = at("source")
	pDate = at("checked_on")

	contracts = contractKeys()
	checksOf = keyedChecks()
	stated = conditions()
	conditional = keyBits(pOperation, pLifetime, pVariant, pTool, pFrom, pUntil, pWindow)
	amountBits = keyBits(pMillion, pUnit, pCurrency, pCurMil, pCurUnit, pDynamic)
	amountKeys = [...]int{pMillion, pUnit, pCurMil, pCurUnit, pDynamic}
})

// The keys of a setting's rule stand alike for every setting.
const (
	sValues = iota
	sMin
	sMax
	sDefault
	sRequired
	sWhen
)

// positions tells where the keys of a table stand.
func positions(t *shape.Table) func(name string) int {
	return func(name string) int { return t.Must(name).Index }
}

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

var contracts []*opKeys

func contractKeys() (all []*opKeys) {
	for _, o := range operations.All() {
		t := form.Operations().Must(o.Name).Type.Table
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
			k.exclusive = k.settingsTable.Must("exclusive").Index
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
}

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
