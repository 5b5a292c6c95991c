package price

// A Why is the reason for which a price or a cost is unknown. The list is closed.
type Why string

// The reasons.
const (
	NotPriced      Why = "not_priced"       // no entry fits the call
	Dynamic        Why = "dynamic"          // the price changes from call to call
	OtherCurrency  Why = "other_currency"   // stated in another currency, which is never converted
	Untrusted      Why = "untrusted"        // only a layer that is not trusted says so
	Overlapping    Why = "overlapping"      // entries fit of which none states all that the others do
	WrongAmount    Why = "wrong_amount"     // the entry's amount is no amount
	NoLifetime     Why = "no_lifetime"      // prices differ by cache lifetime, and none is named
	NoTime         Why = "no_time"          // prices differ by time, and none is named
	NotCounted     Why = "not_counted"      // used, and nobody said how much
	InputUncounted Why = "input_uncounted"  // prices differ by the input's size, which nobody counted
	NoUsage        Why = "no_usage"         // the answer said nothing about what it used
	BelowZero      Why = "count_below_zero" // a count that is none
	OtherModel     Why = "other_model"      // another model served than was asked for, and nobody states what it costs
)

var whyText = map[Why]string{
	NotPriced:      "no price entry fits the call",
	Dynamic:        "its price changes from call to call",
	OtherCurrency:  "its price is in another currency and is not converted",
	Untrusted:      "its price comes from a layer that is not trusted",
	Overlapping:    "several price entries fit and none states all that the others do",
	WrongAmount:    "its price entry has no amount that can be read",
	NoLifetime:     "its price depends on the cache lifetime, which is not known",
	NoTime:         "its price depends on the time, which is not known",
	NotCounted:     "it was used and not counted",
	InputUncounted: "its price depends on the input's size, which was not counted",
	NoUsage:        "the answer does not say what was used",
	BelowZero:      "its count is below zero",
	OtherModel:     "another model served, and the catalog has no row of it",
}

// Text is the reason as people say it, after the name of a meter.
func (w Why) Text() string { return whyText[w] }
