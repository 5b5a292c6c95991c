package op

// A Complaint is one thing that a request needs and a contract does not promise.
// The zero Complaint is none.
type Complaint struct {
	Why     Why
	Field   string   // the key of the contract, or the setting
	Got     string   // what was asked; "" if Field says it
	Allowed []string // what the contract takes, when that is a closed set
	Size    int64    // TooMany, TooFew: what was asked; -1: nothing bounds it
	Limit   int64    // TooMany, TooFew: what the contract takes
	Note    string   // in words, what else there is to say
}

// A Why tells complaints apart.
type Why uint8

// The kinds of complaints.
const (
	None    Why = iota
	Refused     // the contract says no
	Unknown     // nobody said whether it does
	Missing     // a setting that must be given
	Clash       // two things that the contract takes one at a time
	TooMany     // more than a limit
	TooFew      // less than a limit
)
