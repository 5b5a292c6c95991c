package migrate

import (
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/shape"
)

// Upstream reads rules in the order of files, and a rule that does not extend ends
// the search. Five rows of one gateway got such rules later than the gateway's
// trailing `*`, which says that it serves responses, and so lost that fact. An
// answer that does not hang on order gives it to them; to answer as upstream does,
// an exact rule denies it. Every other row of upstream's tree has the same answer
// with and without order.
var pinned = struct {
	provider, field string
	ids             []string
}{
	provider: "vercel_ai_gateway", field: "responses_api",
	ids: []string{
		"deepseek/deepseek-v4.1-flash-1017",
		"deepseek/deepseek-v4.1-flash-1017-fast",
		"elorian/glimpse",
		"inception/mercury-3",
		"minimax/minimax-m3.1-flash",
	},
}

// pin adds the exact rule, if the tree holds what it is about.
func (w *rulework) pin() {
	star := w.pinnedAt()
	if star == nil {
		return
	}
	key := legacy.Rule().Must(pinned.field)
	r := &rule{provider: pinned.provider, partial: true, table: star.table,
		facts: []fact{{key.Index, w.arena.From(star.get(pinned.field), key, shape.FormBool, "false")}}}
	p := w.provider(pinned.provider)
	for _, row := range w.rows {
		if row.Provider != pinned.provider || !row.Does(textOperation) {
			continue
		}
		for _, id := range pinned.ids {
			if identity(row, p) != id {
				continue
			}
			r.fits(newPattern(id))
			move := w.migration.moved("L44", star.get(pinned.field), row.RowID(), show(star.get(pinned.field)), pinned.field+" = false")
			move.Named = true
			move.Note = "upstream's search ends before the rule of the bare wildcard; an exact rule keeps its answer"
		}
	}
	if len(r.patterns) > 0 {
		w.book.add(r)
	}
}

// pinnedAt is the gateway's rule of the bare wildcard; nil if there is none.
func (w *rulework) pinnedAt() *rule {
	for _, r := range w.book.rules[pinned.provider] {
		if n := r.get(pinned.field); r.partial && n.IsTrue() && len(r.patterns) == 1 && r.patterns[0].any {
			return r
		}
	}
	return nil
}
