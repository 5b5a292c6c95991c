package cli

import (
	"slices"
	"strings"
)

// A node is one word of the command tree: the tool, a resource, or a verb.
type node struct {
	path     string // "model list"; "" for the tool
	children []*node
	command  *Command // nil for a resource
}

// newTree orders commands by their words.
func newTree(commands []Command) *node {
	root := &node{}
	for i := range commands {
		at := root
		for _, word := range strings.Fields(commands[i].Path) {
			next := at.child(word)
			if next == nil {
				next = &node{path: strings.TrimSpace(at.path + " " + word)}
				at.children = append(at.children, next)
			}
			at = next
		}
		at.command = &commands[i]
	}
	return root
}

// leadsTo reports whether a command is this node's or stands below it.
func (n *node) leadsTo(c *Command) bool { return strings.HasPrefix(c.Path+" ", n.path+" ") }

func (n *node) word() string { return n.path[strings.LastIndexByte(n.path, ' ')+1:] }

func (n *node) child(word string) *node {
	for _, c := range n.children {
		if c.word() == word {
			return c
		}
	}
	return nil
}

// words lists what may follow, sorted.
func (n *node) words() []string {
	var out []string
	for _, c := range n.children {
		out = append(out, c.word())
	}
	slices.Sort(out)
	return out
}

// tier1 is the closed set of verbs that a caller may use without reading anything.
var tier1 = []string{"get", "list", "create", "update", "delete", "plan", "apply"}

// forbidden are words that no command has anywhere in its path, each with the
// verb that does what people mean by it; "" where there is none.
var forbidden = map[string]string{
	"info": "get", "show": "get", "fetch": "get", "ls": "list", "rm": "delete", "new": "create", "make": "create", "run": "",
}

// unknown is the error for a word that does not follow n.
func (n *node) unknown(tool, word string) *Error {
	where := strings.TrimSpace(tool + " " + n.path)
	e := NotIn(UnknownCommand, "the word after '"+where+"'", word, n.words()).Saying(where + " --help")
	if verb, banned := forbidden[word]; banned {
		e.Code = ForbiddenVerb
		if n.child(verb) != nil {
			e.Hint = where + " " + verb
		}
	}
	return e
}

// incomplete is the error for a path that stops at a resource.
func (n *node) incomplete(tool string) *Error {
	where := strings.TrimSpace(tool + " " + n.path)
	e := Fail(UnknownCommand, "'%s' needs one more word, one of: %s", where, strings.Join(n.words(), ", "))
	e.Allowed = n.words()
	return e.Saying(where + " --help")
}
