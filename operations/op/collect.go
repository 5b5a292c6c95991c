package op

import (
	"strconv"

	"github.com/opcat/opcat/catalog"
)

// Word notes a setting that is a word or a text; the empty one was left out.
func (n *Needs) Word(name, value string) {
	if value != "" {
		n.Settings = append(n.Settings, SettingValue{name, catalog.TextValue(value)})
	}
}

// Number notes a setting that is a decimal number; the unknown one was left out.
func (n *Needs) Number(name string, value catalog.Decimal) { n.Word(name, string(value)) }

// Count notes a setting that is a whole number.
func (n *Needs) Count(name string, value catalog.Opt[int64]) {
	if v, ok := value.Get(); ok {
		n.Settings = append(n.Settings, SettingValue{name, catalog.TextValue(strconv.FormatInt(v, 10))})
	}
}

// YesNo notes a setting that is a yes or a no.
func (n *Needs) YesNo(name string, value catalog.Opt[bool]) {
	if v, ok := value.Get(); ok {
		n.Settings = append(n.Settings, SettingValue{name, catalog.BoolValue(v)})
	}
}
