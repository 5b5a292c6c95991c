package docs

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections/emit"
)

// sayEnd says where a row stands in its life; nothing of one whose end is unknown.
func (s *site) sayEnd(p *page, r catalog.Ref) {
	state := r.State(s.c.AsOf())
	if state == catalog.Active {
		return
	}
	l := r.Lifecycle()
	p.text(state.String())
	switch end := endOf(l); {
	case end == "":
	case state == catalog.Ended:
		p.text(" " + string(end))
	default:
		p.text(", ends " + string(end))
	}
	if l.Successor != "" {
		p.text("; then ")
		s.sayRow(p, l.Successor)
	}
}

func endOf(l *catalog.Lifecycle) catalog.Date {
	if l.EndsOn != "" {
		return l.EndsOn
	}
	return l.AnnouncedEnd
}

// sayRow names a row, or a provider, with a link to its place.
func (s *site) sayRow(p *page, id string) {
	if place, ok := s.placeOf(id); ok {
		p.linkCode(place, id)
	} else {
		p.code(id)
	}
}

// calendar is the pages of ends: those to come by date, those without one, and those
// that have passed.
func (s *site) calendar() []emit.File {
	type ending struct {
		ref catalog.Ref
		l   *catalog.Lifecycle
		end catalog.Date
	}
	var coming, undated, past []ending
	for r := range s.c.Refs() {
		state := r.State(s.c.AsOf())
		if state == catalog.Active {
			continue
		}
		l := r.Lifecycle()
		e := ending{ref: r, l: l, end: endOf(l)}
		switch {
		case state == catalog.Ended:
			past = append(past, e)
		case e.end == "":
			undated = append(undated, e)
		default:
			coming = append(coming, e)
		}
	}
	at := func(e ending) int64 { t, _ := e.end.Time(); return t.Unix() }
	slices.SortStableFunc(coming, func(a, b ending) int { return int(at(a)/60 - at(b)/60) })
	slices.SortStableFunc(past, func(a, b ending) int { return int(at(b)/60 - at(a)/60) })

	l := newListing("deprecations", "Deprecation calendar")
	l.page.para("As of " + string(catalog.DateOf(s.c.AsOf())) + ". A date is the first day on which the row is no longer served.")
	for _, part := range []struct {
		title, none string
		rows        []ending
	}{
		{"Ends to come", "No end is announced.", coming},
		{"Deprecated, without a date", "No row is deprecated without a date.", undated},
		{"Ended", "No row of the catalog has ended.", past},
	} {
		l.section(part.title, len(part.rows), part.none, "Date", "Model", "State", "Successor", "Note")
		for _, e := range part.rows {
			p := l.row()
			p.text(string(e.end))
			p.cell()
			p.linkCode(s.rowPlace(e.ref), e.ref.ID())
			p.cell()
			p.text(e.ref.State(s.c.AsOf()).String())
			p.cell()
			if e.l.Successor != "" {
				s.sayRow(p, e.l.Successor)
			}
			p.cell()
			p.text(strings.Join(strings.Fields(e.l.Note), " "))
		}
	}
	return l.files()
}
