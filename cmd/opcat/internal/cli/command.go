package cli

import (
	"context"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
)

// RW says whether a command changes something outside its run dir.
type RW string

// The two classes of command.
const (
	Read  RW = "read"
	Write RW = "write" // only apply
)

// Cost says whether a command can spend money.
type Cost string

// Free commands call no model; metered ones do and need their spend flag.
const (
	Free    Cost = "free"
	Metered Cost = "metered"
)

// Family is what kind of verb a command has.
type Family string

// The three families of verbs.
const (
	CRUD     Family = "crud"
	Mutation Family = "mutation" // plan and apply
	Stage    Family = "stage"    // a tier-2 verb
)

// A Command is one command of the tool. The value is all there is: cobra, help,
// --describe and the skill text are made from it. The variables that its flags
// fill live in the function that makes it, so each run of the tool makes its
// commands anew.
type Command struct {
	Path    string               // "model list": a resource and a verb, or a verb alone
	Tier    int                  // 1 for the closed set of verbs, 2 for the tool's own
	RW      RW                   // Read when empty
	Cost    Cost                 // Free when empty
	Family  Family               // crud, mutation or stage
	Short   string               // one line, lower case, no final period
	Long    string               // more for --help; may be empty
	Result  string               // name and major of the data's schema: "opcat.model_list@1"
	Schema  func() schema.Schema // the schema itself, of an object; made when it is asked for
	Flags   []Flag               // its own flags; the universal ones are added
	Args    []Arg                // its words after the verb
	Errors  []Code               // codes that Run returns; those of the flags are added
	Example []string             // argv after the tool's name that works as it stands
	Bounded *Bounded             // set when the result is a list; adds --cursor

	// Run does the work. It writes nothing: logs go to inv.Logf, files into
	// inv.RunDir. A plain error becomes INTERNAL; return an *Error to say more.
	Run func(ctx context.Context, inv *Invocation) (Result, error)
}

// An Arg is one word that a command takes after its verb.
type Arg struct {
	Name     string // "id"; printed as <id>
	Usage    string
	Optional bool // only the last may be
}

// Bounded says how many items one page of a list may have.
type Bounded struct {
	Default int // DefaultLimit when 0
	Max     int // MaxLimit when 0
}

// What --limit is without and at most, unless a command lowers it.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// verb is the last word of the path.
func (c *Command) verb() string { return c.Path[strings.LastIndexByte(c.Path, ' ')+1:] }

func (c *Command) rw() RW {
	if c.RW == "" {
		return Read
	}
	return c.RW
}

func (c *Command) cost() Cost {
	if c.Cost == "" {
		return Free
	}
	return c.Cost
}

// limits gives the default and the maximum of --limit for the command.
func (c *Command) limits() (def, most int) {
	def, most = DefaultLimit, MaxLimit
	if c.Bounded != nil && c.Bounded.Max > 0 {
		most = c.Bounded.Max
	}
	if c.Bounded != nil && c.Bounded.Default > 0 {
		def = c.Bounded.Default
	}
	return min(def, most), most
}
