package docs

import (
	"strconv"

	"github.com/opcat/opcat/projections/emit"
)

// A listing is a title with tables that may go on on further pages.
type listing struct {
	first, title string
	page         *page
	pages        []*page

	rows    int // on this page
	part    string
	columns []string
}

func newListing(path, title string) *listing {
	l := &listing{first: path, title: title}
	l.turn()
	return l
}

func (l *listing) turn() {
	title := l.title
	if len(l.pages) > 0 {
		title += ", page " + strconv.Itoa(len(l.pages)+1)
	}
	l.page = newPage(pageOf(l.first, len(l.pages)+1), title)
	l.pages = append(l.pages, l.page)
	l.rows = 0
}

// section starts a table of so many rows, or says that there are none.
func (l *listing) section(title string, rows int, none string, columns ...string) {
	l.part, l.columns = title, columns
	l.page.heading(2, title)
	if rows == 0 {
		l.page.para(none)
		return
	}
	l.page.table(title, columns...)
}

// row starts a row, on the next page if this one is full.
func (l *listing) row() *page {
	if l.rows == perPage {
		l.turn()
		l.page.heading(2, l.part)
		l.page.table(l.part, l.columns...)
	}
	l.rows++
	l.page.row("")
	return l.page
}

func (l *listing) files() []emit.File {
	var files []emit.File
	for i, p := range l.pages {
		p.turner(l.first, i+1, len(l.pages))
		files = append(files, p.files()...)
	}
	return files
}
