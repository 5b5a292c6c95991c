package docs

import (
	"strconv"
	"strings"

	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/projections/emit"
)

// A page is one text in two forms, written at once: Markdown for a reader of the
// repository, HTML for a browser. So neither can say what the other does not, and
// nothing is parsed again. A test holds that a reader of Markdown finds in the one
// what the other shows.
//
// What is said comes in blocks: a heading, a paragraph, the items of a list, a table.
// Starting a block ends the one before. Everything that text and code say is escaped.
type page struct {
	path     string // "deprecations", or "providers/acme/": a slash at the end is the first page of a folder
	up       string // from the page's folder to the root
	title    string
	md, html []byte

	block block
	cells int // of the row that is being written; -1 before its first
}

type block uint8

const (
	none block = iota
	paragraph
	list
	table
)

func newPage(path, title string) *page {
	p := &page{path: path, up: strings.Repeat("../", strings.Count(path, "/")), title: title}
	p.md = append(p.md, "<!-- "+emit.Mark+" -->\n"...)
	p.html = append(p.html, "<!doctype html>\n<!-- "+emit.Mark+" -->\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>"...)
	p.html = appendHTML(p.html, title)
	p.html = append(p.html, "</title><link rel=\"stylesheet\" href=\""+p.up+"style.css\"></head>\n<body><nav aria-label=\"Site\">"...)
	for _, to := range navigation {
		p.html = append(p.html, `<a href="`...)
		p.html = append(p.html, p.up...)
		p.html = append(p.html, htmlFile(to.path)...)
		p.html = append(p.html, '"')
		if to.path == path {
			p.html = append(p.html, ` aria-current="page"`...)
		}
		p.html = append(p.html, '>')
		p.html = append(p.html, to.name...)
		p.html = append(p.html, "</a> "...)
	}
	p.html = append(p.html, "</nav>\n<main>"...)
	p.heading(1, title)
	return p
}

// grow makes room for so many rows.
func (p *page) grow(room *hugepage.Slab[byte], rows int) {
	p.md, p.html = append(room.Make(rows * 300)[:0], p.md...), append(room.Make(rows * 350)[:0], p.html...)
}

var navigation = []struct{ path, name string }{
	{"", "opcat"}, {"providers/", "Providers"}, {"operations/", "Operations"}, {"deprecations", "Deprecations"}, {"changes", "Changes"}, {"diagnostics/", "Diagnostics"},
}

// markdownFile and htmlFile are where a page lies below the root of its form.
func markdownFile(path string) string { return file(path, "README", ".md") }
func htmlFile(path string) string     { return file(path, "index", ".html") }

func file(path, first, ext string) string {
	if path == "" || strings.HasSuffix(path, "/") {
		return path + first + ext
	}
	return path + ext
}

// files ends the page.
func (p *page) files() []emit.File {
	p.end()
	p.html = append(p.html, "</main></body></html>\n"...)
	return []emit.File{{Path: markdownFile(p.path), Data: p.md}, {Path: "site/" + htmlFile(p.path), Data: p.html}}
}

// end ends the block that is being written.
func (p *page) end() {
	switch p.block {
	case paragraph:
		p.md = append(p.md, '\n')
		p.html = append(p.html, "</p>\n"...)
	case list:
		p.md = append(p.md, '\n')
		p.html = append(p.html, "</ul>\n"...)
	case table:
		p.endRow()
		p.html = append(p.html, "</table></div>\n"...)
	}
	p.block = none
}

func (p *page) heading(level int, s string) { p.headingAt(level, "", s) }

// headingAt is a heading that can be linked to.
func (p *page) headingAt(level int, anchor, s string) {
	p.end()
	p.md = append(p.md, '\n')
	h := byte('0' + level)
	p.html = append(p.html, '<', 'h', h)
	p.html = p.appendID(p.html, anchor)
	p.html = append(p.html, '>')
	p.html = appendHTML(p.html, s)
	p.html = append(p.html, '<', '/', 'h', h, '>', '\n')
	for range level {
		p.md = append(p.md, '#')
	}
	p.md = append(p.md, ' ')
	p.md = appendMark(p.md, anchor)
	p.md = appendMarkdown(p.md, s)
	p.md = append(p.md, '\n')
}

func (p *page) appendID(b []byte, anchor string) []byte {
	if anchor == "" {
		return b
	}
	b = append(b, ` id="`...)
	b = append(b, anchor...)
	return append(b, '"')
}

func appendMark(b []byte, anchor string) []byte {
	if anchor == "" {
		return b
	}
	b = append(b, `<a id="`...)
	b = append(b, anchor...)
	return append(b, `"></a>`...)
}

// para starts a paragraph, and says the first of it.
func (p *page) para(s string) {
	p.end()
	p.block = paragraph
	p.md = append(p.md, '\n')
	p.html = append(p.html, "<p>"...)
	p.text(s)
}

// item starts an item of a list.
func (p *page) item(s string) {
	if p.block != list {
		p.end()
		p.md = append(p.md, '\n')
		p.html = append(p.html, "<ul>"...)
	} else {
		p.md = append(p.md, '\n')
	}
	p.block = list
	p.md = append(p.md, "- "...)
	p.html = append(p.html, "<li>"...)
	p.text(s)
}

// table starts a table. A column whose name starts with "#" holds numbers.
func (p *page) table(name string, columns ...string) {
	p.end()
	p.block, p.cells = table, -1
	p.html = append(p.html, `<div class="wide" role="region" tabindex="0" aria-label="`...)
	p.html = appendHTML(p.html, name)
	p.html = append(p.html, `"><table class="`...)
	for i, c := range columns {
		if c[0] == '#' {
			p.html = append(p.html, " n"...)
			p.html = strconv.AppendInt(p.html, int64(i+1), 10)
		}
	}
	p.html = append(p.html, "\">\n<thead><tr>"...)
	p.md = append(p.md, "\n|"...)
	for _, c := range columns {
		c = strings.TrimPrefix(c, "#")
		p.html = append(p.html, `<th scope="col">`...)
		p.html = appendHTML(p.html, c)
		p.md = append(p.md, ' ')
		p.md = appendMarkdown(p.md, c)
		p.md = append(p.md, " |"...)
	}
	p.html = append(p.html, "<tbody>\n"...)
	p.md = append(p.md, "\n|"...)
	for _, c := range columns {
		if c[0] == '#' {
			p.md = append(p.md, " --: |"...)
		} else {
			p.md = append(p.md, " --- |"...)
		}
	}
	p.md = append(p.md, '\n')
}

// row starts a row of a table, and its first cell.
func (p *page) row(anchor string) {
	p.endRow()
	p.cells = 0
	p.html = append(p.html, "<tr"...)
	p.html = p.appendID(p.html, anchor)
	p.html = append(p.html, "><td>"...)
	p.md = append(p.md, "| "...)
	p.md = appendMark(p.md, anchor)
}

// cell starts the next cell of the row.
func (p *page) cell() {
	p.cells++
	p.html = append(p.html, "<td>"...)
	p.md = append(p.md, " | "...)
}

func (p *page) endRow() {
	if p.cells >= 0 {
		p.html = append(p.html, '\n') // HTML ends cells and rows by itself
		p.md = append(p.md, " |\n"...)
	}
	p.cells = -1
}

func (p *page) text(s string) {
	p.md = appendMarkdown(p.md, s)
	p.html = appendHTML(p.html, s)
}

// strong says it with weight.
func (p *page) strong(s string) {
	p.md = append(p.md, "**"...)
	p.html = append(p.html, "<strong>"...)
	p.text(s)
	p.md = append(p.md, "**"...)
	p.html = append(p.html, "</strong>"...)
}

// code says a text as it stands in sources and on wires.
func (p *page) code(s string) {
	p.md = appendCode(p.md, s, p.block == table)
	p.html = append(p.html, "<code>"...)
	p.html = appendHTML(p.html, s)
	p.html = append(p.html, "</code>"...)
}

// codes says a list of them.
func (p *page) codes(list []string) {
	for i, s := range list {
		if i > 0 {
			p.text(", ")
		}
		p.code(s)
	}
}

// A target is a place to link to: a page, or an anchor of one.
type target struct{ path, anchor string }

// link links to a page with a text.
func (p *page) link(to target, s string) {
	p.startLink(to)
	p.text(s)
	p.endLink(to)
}

// linkCode links to a page with code.
func (p *page) linkCode(to target, s string) {
	p.startLink(to)
	p.code(s)
	p.endLink(to)
}

func (p *page) startLink(to target) {
	p.md = append(p.md, '[')
	p.html = append(p.html, `<a href="`...)
	if to.path != p.path {
		p.html = append(p.html, p.up...)
		p.html = append(p.html, htmlFile(to.path)...)
	}
	p.html = appendFragment(p.html, to.anchor)
	p.html = append(p.html, `">`...)
}

func (p *page) endLink(to target) {
	p.html = append(p.html, "</a>"...)
	p.md = append(p.md, "]("...)
	if to.path != p.path {
		p.md = append(p.md, p.up...)
		p.md = append(p.md, markdownFile(to.path)...)
	}
	p.md = appendFragment(p.md, to.anchor)
	p.md = append(p.md, ')')
}

func appendFragment(b []byte, anchor string) []byte {
	if anchor == "" {
		return b
	}
	return append(append(b, '#'), anchor...)
}

// leave links to a page of somebody else's. What is no https address is only shown.
func (p *page) leave(url, s string) {
	if !strings.HasPrefix(url, "https://") {
		p.text(s)
		if url != "" {
			p.text(" ")
			p.code(url)
		}
		return
	}
	p.md = append(p.md, '[')
	p.html = append(p.html, `<a href="`...)
	p.html = appendHTML(p.html, url)
	p.html = append(p.html, `" rel="noopener">`...)
	p.text(s)
	p.html = append(p.html, "</a>"...)
	p.md = append(p.md, "](<"...)
	p.md = appendURL(p.md, url)
	p.md = append(p.md, ">)"...)
}

// pre shows a text of several lines.
func (p *page) pre(language, s string) {
	p.end()
	s = strings.TrimRight(s, "\n")
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	p.md = append(p.md, "\n"+fence+language+"\n"+s+"\n"+fence+"\n"...)
	p.html = append(p.html, `<pre tabindex="0"><code>`...)
	p.html = appendHTML(p.html, s)
	p.html = append(p.html, "</code></pre>\n"...)
}
