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
	if mode != nil && (transport.Str() == "unsupported" && mode.Str() != "none" || transport.Str() == "prompt_validation" && mode.Str() == "native_json" && !legacy(transport)) {
		may := []string{"none"}
		if transport.Str() == "prompt_validation" {
			may = []string{"delimited", "xml_tagged", "none"}
		}
		c.add(diag.Diagnostic{Code: diag.StructuredModeWithoutTransport, At: mode.At(), Message: quote(mode.Str()) + " needs a structured transport, and this one is " + transport.Str(), Got: mode.Str(),
			Allowed: may, Notes: note(transport, "the transport"), Help: "mend one of the two"})
	}
	if schema := c.settings.at(c.k.set.schema); admits(schema) && (transport.Str() == "unsupported" || transport.Str() == "prompt_validation") {
		c.add(diag.Diagnostic{Code: diag.StructuredContradicts, At: schema.At(), Message: "a response schema is taken, and no transport carries one: it is " + transport.Str(), Got: schema.Str(),
			Allowed: []string{"refused"}, Notes: note(transport, "the transport"), Help: "refuse the setting, or name the transport"})
	}
}
