package schema

import "github.com/opcat/opcat/shape"

// kinds are the texts of a fixed form, each a definition of its own.
var kinds = [shape.Union + 1]struct{ name, says string }{
	shape.Text:     {"text", "text, not empty, without control characters but line breaks and tabs"},
	shape.ID:       {"id", "lower-case letters, digits, and after the first character . _ -; at most 64"},
	shape.WireID:   {"wire_id", "an id as its provider writes it, compared byte for byte"},
	shape.RowID:    {"row_id", `a row: "provider/wire_model"`},
	shape.Amount:   {"amount", `an exact amount in quotes, such as "0.042": no sign, no exponent, at most 18 digits a side`},
	shape.Number:   {"number", `an exact number in quotes, such as "-0.5"`},
	shape.Date:     {"date", `a date in quotes, such as "2026-11-30", or a time with its offset, such as "2026-11-30T09:00:00Z"`},
	shape.Duration: {"duration", `a duration, such as "120s" or "1h30m"`},
	shape.Clock:    {"clock", `a time of day from "00:00" to "24:00"`},
	shape.Offset:   {"offset", `an offset from UTC, such as "+00:00"`},
	shape.URL:      {"url", `an https URL, or http to this machine; it may have holes such as {model}`},
	shape.Origin:   {"origin", `scheme, host and port: "https://api.acme.example"; holes may stand left of a fixed domain`},
	shape.Source:   {"source", `where a fact is stated: an https URL, or a package as its purl, such as "pkg:pypi/acme@1.0.0"`},
	shape.EnvName:  {"env_name", "the name of an environment variable"},
	shape.Header:   {"header", "the name of an HTTP header"},
	shape.Range:    {"range", `a range of versions, such as ">=1.13.0, <2"`},
	shape.Semver:   {"version", `a semantic version, such as "1.13.0"`},
	shape.Glob:     {"glob", "a pattern, in which only * (any run of characters) and ? (any one) are special"},
}

// canonical are the spellings that a compiled catalog gives numbers.
var canonical = map[shape.Kind]string{
	shape.Amount: `^(0|[1-9][0-9]{0,17})(\.[0-9]{0,17}[1-9])?$`,
	shape.Number: `^((0|[1-9][0-9]{0,17})(\.[0-9]{0,17}[1-9])?|-(0\.[0-9]{0,17}[1-9]|[1-9][0-9]{0,17}(\.[0-9]{0,17}[1-9])?))$`,
}

// text prints the members of a schema of a kind of text.
func (w *writer) text(k shape.Kind) {
	pattern := k.Pattern()
	if c := canonical[k]; w.catalog && c != "" {
		pattern = c
	}
	w.member("description", kinds[k].says)
	w.member("type", "string")
	w.member("pattern", pattern)
}
