package check

import "github.com/opcat/opcat/diag"

// structured finds structured output that has no way to come about: a JSON shape
// without a transport, or a response schema on a row that is only asked nicely. A
// rule of format 0 that names no transport means the latter, whatever shape it
// prefers.
func (c *contract) structured() {
	s := c.get(c.k.structured)
	if s == nil {
		return
	}
	transport, mode := s.Get("transport"), s.Get("mode")
	if transport == nil {
		return
	}
	if mode != nil && (transport.Text == "unsupported" && mode.Text != "none" || transport.Text == "prompt_validation" && mode.Text == "native_json" && !legacy(transport)) {
		may := []string{"none"}
		if transport.Text == "prompt_validation" {
			may = []string{"delimited", "xml_tagged", "none"}
		}
		c.add(diag.Diagnostic{Code: diag.StructuredModeWithoutTransport, At: mode.At(), Message: quote(mode.Text) + " needs a structured transport, and this one is " + transport.Text, Got: mode.Text,
			Allowed: may, Notes: note(transport, "the transport"), Help: "mend one of the two"})
	}
	if schema := c.settings.at(c.k.set.schema); admits(schema) && (transport.Text == "unsupported" || transport.Text == "prompt_validation") {
		c.add(diag.Diagnostic{Code: diag.StructuredContradicts, At: schema.At(), Message: "a response schema is taken, and no transport carries one: it is " + transport.Text, Got: schema.Text,
			Allowed: []string{"refused"}, Notes: note(transport, "the transport"), Help: "refuse the setting, or name the transport"})
	}
}
