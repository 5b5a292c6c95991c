package artifact

import "github.com/opcat/opcat/compile/migrate"

// Migrated is the result of stage migrate: every fragment in today's form, and
// what was moved.
type Migrated struct {
	Run
	Result migrate.Result
}

type migratedBody struct {
	Run
	Files     []file          `json:"files"`
	Fragments []fragmentBody  `json:"fragments"`
	Moves     []migrate.Move  `json:"moves"`
	Audits    []migrate.Audit `json:"audits"`
}

// Body is the JSON of the result.
func (v *Migrated) Body() ([]byte, error) {
	w := &writer{}
	b := migratedBody{Run: v.Run.written(), Fragments: w.fragments(v.Result.Fragments),
		Moves: append([]migrate.Move{}, v.Result.Moves...), Audits: append([]migrate.Audit{}, v.Result.Audits...)}
	b.Files = w.files()
	return encode(b)
}

// ReadMigrated reads what Body wrote.
func ReadMigrated(body []byte) (*Migrated, error) {
	var b migratedBody
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	r := newReader(b.Files)
	v := &Migrated{Run: b.Run,
		Result: migrate.Result{Fragments: r.fragments(b.Fragments), Moves: b.Moves, Audits: b.Audits}}
	return v, r.err
}
