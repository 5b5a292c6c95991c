package conformance

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/opcat/opcat/seam"
)

func oneObjectEach(t *trial) {
	for _, a := range t.captured {
		if a.failed != nil || !a.json() || a.hung {
			continue // that it hung is the asking check's to say
		}
		if t.saw(a) && a.envelope().frame != nil {
			t.fail(a, "%v", a.envelope().frame)
		}
	}
}

// framed are the answers with an envelope that can be read.
func (t *trial) framed() []*answer {
	return slices.DeleteFunc(t.all(), func(a *answer) bool { return a.envelope().frame != nil })
}

// published are the two halves of the schema of envelopes: the frame, and meta.
var published = sync.OnceValues(func() (halves [2]*jsonschema.Resolved, err error) {
	var doc map[string]any
	if err := jsonv2.Unmarshal(EnvelopeSchema, &doc); err != nil {
		return halves, err
	}
	props := doc["properties"].(map[string]any)
	defs := doc["$defs"].(map[string]any)
	// What a message may be is a check of its own.
	defs["error"].(map[string]any)["properties"].(map[string]any)["message"] = map[string]any{"type": "string"}
	props["meta"] = map[string]any{"type": "object"}
	meta := map[string]any{"$ref": "#/$defs/meta", "$defs": defs}
	for i, half := range []any{doc, meta} {
		text, err := jsonv2.Marshal(half, jsonv2.Deterministic(true))
		if err != nil {
			return halves, err
		}
		if halves[i], err = compileSchema(text); err != nil {
			return halves, err
		}
	}
	return halves, nil
})

func envelopeFits(t *trial) {
	halves, err := published()
	if err != nil {
		t.broken = err
		return
	}
	for _, a := range t.framed() {
		t.looked++
		if err := validate(halves[0], a.stdout); err != nil {
			t.fail(a, "%v", err)
		}
	}
}

func metaComplete(t *trial) {
	halves, err := published()
	if err != nil {
		t.broken = err
		return
	}
	for _, a := range t.framed() {
		t.looked++
		meta := a.envelope().top["meta"]
		if err := validate(halves[1], meta); err != nil {
			t.fail(a, "meta: %v", err)
		}
	}
}

func envelopeEchoes(t *trial) {
	for _, a := range t.framed() {
		t.looked++
		e := a.envelope()
		switch {
		case e.ContractVersion != t.desc.ContractVersion:
			t.fail(a, "contract_version is %d, describe says %d", e.ContractVersion, t.desc.ContractVersion)
		case e.Tool != t.desc.Tool:
			t.fail(a, "tool is %q, describe says %q", e.Tool, t.desc.Tool)
		case e.Command != a.command:
			t.fail(a, "command is %q, want %q", e.Command, a.command)
		}
	}
}

type compiled struct {
	schema *jsonschema.Resolved
	err    error
}

func (s *suite) schema(name string) (*jsonschema.Resolved, error) {
	if c, ok := s.schemas[name]; ok {
		return c.schema, c.err
	}
	text, ok := s.desc.Schemas[name]
	c := compiled{err: fmt.Errorf("describe has no schema %q", name)}
	if ok {
		if c.schema, c.err = compileSchema(text); c.err != nil {
			c.err = fmt.Errorf("the schema %s: %w", name, c.err)
		}
	}
	s.schemas[name] = c
	return c.schema, c.err
}

func dataFits(t *trial) {
	for name := range t.desc.Schemas {
		if _, err := t.schema(name); err != nil {
			t.fail(nil, "%v", err)
		}
	}
	for _, a := range t.framed() {
		e := a.envelope()
		has := func(flag string) bool {
			return slices.ContainsFunc(a.argv, func(w string) bool { return w == flag || strings.HasPrefix(w, flag+"=") })
		}
		if !e.OK || has("--fields") {
			continue
		}
		t.looked++
		if c := t.desc.command(a.command); c != nil && !has("--help") && !has("--version") && e.Meta.Schema != c.ResultSchema {
			t.fail(a, "meta.schema is %q, describe says %q", e.Meta.Schema, c.ResultSchema)
			continue
		}
		schema, err := t.schema(e.Meta.Schema)
		if err == nil {
			err = validate(schema, e.Data)
		}
		if err != nil {
			t.fail(a, "data: %v", err)
		}
	}
}

func hygienic(t *trial) {
	for _, a := range t.framed() {
		t.looked++
		for _, wrong := range a.envelope().hygiene {
			t.fail(a, "%s", wrong)
		}
	}
}

func (d *Describe) code(code string) *ErrorCode {
	for i := range d.ErrorCodes {
		if d.ErrorCodes[i].Code == code {
			return &d.ErrorCodes[i]
		}
	}
	return nil
}

func exitsAgree(t *trial) {
	for _, a := range t.captured {
		if a.failed != nil || a.hung || a.flooded || a.noOut || a.noErr || a.term > 0 || a.dies {
			continue // it was stopped
		}
		t.looked++
		if a.exit < 0 || a.exit > 5 {
			t.fail(a, "exit %d is not of the contract", a.exit)
			continue
		}
		if !a.json() || a.envelope().frame != nil {
			continue
		}
		e := a.envelope()
		switch known := t.desc.code(a.code()); {
		case e.OK && a.exit != 0, !e.OK && a.exit == 0:
			t.fail(a, "ok is %v with exit %d", e.OK, a.exit)
		case known != nil && known.Exit != a.exit:
			t.fail(a, "%s has exit %d, describe says %d", known.Code, a.exit, known.Exit)
		}
	}
}

func retryables(t *trial) {
	for _, known := range t.desc.ErrorCodes {
		if t.suite.describe != nil && known.Retryable != (known.Exit == 4) {
			t.fail(nil, "describe: %s has exit %d and retryable %v", known.Code, known.Exit, known.Retryable)
		}
	}
	for _, a := range t.framed() {
		if e := a.envelope().Error; e != nil {
			t.looked++
			if e.Retryable != (a.exit == 4) {
				t.fail(a, "%s: retryable is %v with exit %d", e.Code, e.Retryable, a.exit)
			}
		}
	}
}

func codesKnown(t *trial) {
	for _, a := range t.framed() {
		e := a.envelope().Error
		if e == nil {
			continue
		}
		t.looked++
		c := t.desc.command(a.command)
		switch {
		case !codeName().MatchString(e.Code):
			t.fail(a, "%q does not look like a code", e.Code)
		case len(t.desc.ErrorCodes) > 0 && t.desc.code(e.Code) == nil:
			t.fail(a, "%s is not among the error_codes of describe", e.Code)
		case c != nil && len(c.Errors) > 0 && !slices.Contains(c.Errors, e.Code):
			t.fail(a, "%s is not among the errors of %q", e.Code, c.Name)
		}
	}
}

func messages(t *trial) {
	for _, a := range t.framed() {
		e := a.envelope().Error
		if e == nil {
			continue
		}
		t.looked++
		switch {
		case e.Message == "" || strings.ContainsAny(e.Message, "\r\n"):
			t.fail(a, "the message is empty or has more than one line")
		case len(e.Message) > 500:
			t.fail(a, "the message has %d bytes, at most 500", len(e.Message))
		case t.canaryIn([]byte(e.Message)) != "":
			t.fail(a, "the message holds a secret of the environment")
		}
	}
}

func readsChangeNothing(t *trial) {
	for _, a := range t.captured {
		c := t.desc.command(a.command)
		if a.failed != nil || c == nil || c.RW != "read" || a.in != nil {
			continue
		}
		t.looked++
		if len(a.changed) > 0 {
			t.fail(a, "it changed %s", strings.Join(a.changed[:min(len(a.changed), 5)], ", "))
		}
	}
}

func noIdentity(t *trial) {
	for _, c := range t.desc.Commands {
		t.looked++
		for _, w := range c.words() {
			if slices.Contains([]string{"login", "logout", "signin", "auth", "configure"}, w) {
				t.fail(nil, "%q looks like a login", c.Name)
			}
		}
	}
	for _, a := range t.captured {
		for _, file := range a.leaked {
			if strings.HasPrefix(file, "home/") {
				t.fail(a, "it left a credential in %s", file)
			}
		}
	}
}

func noSecrets(t *trial) {
	for _, a := range t.captured {
		if a.failed != nil {
			continue
		}
		t.looked++
		for name, stream := range map[string][]byte{"stdout": a.stdout, "stderr": a.stderr} {
			if t.canaryIn(stream) != "" {
				t.fail(a, "a secret of the environment is on %s", name)
			}
		}
		for _, file := range a.leaked {
			t.fail(a, "a secret of the environment is in %s", file)
		}
	}
}

func seamAgrees(t *trial) {
	for _, a := range t.framed() {
		t.looked++
		e := a.envelope()
		job := seam.Map([]seam.Run{{Envelope: a.stdout, Exit: a.exit}})
		var tokens string
		if job.LLMTokensUsed != nil {
			tokens = fmt.Sprint(*job.LLMTokensUsed)
		}
		switch {
		case job.OK != e.OK && len(job.Next) == 0: // a partial apply is ok and is not done
			t.fail(a, "the job is ok: %v, the envelope: %v", job.OK, e.OK)
		case !sameNumber(string(job.CostUSD), string(e.Meta.CostUSD)):
			t.fail(a, "the job cost %s, the envelope says %s", job.CostUSD, e.Meta.CostUSD)
		case tokens != string(e.Meta.LLMTokens):
			t.fail(a, "the job used %q tokens, the envelope says %q", tokens, e.Meta.LLMTokens)
		case (e.Error != nil) != (len(job.Errors) == 1):
			t.fail(a, "the job has %d errors", len(job.Errors))
		case e.Error != nil && !sameJSON(job.Errors[0], e.top["error"]):
			t.fail(a, "the job's error is another one")
		}
	}
}

func sameJSON(a, b []byte) bool {
	x, y := jsontext.Value(slices.Clone(a)), jsontext.Value(slices.Clone(b))
	return x.Canonicalize() == nil && y.Canonicalize() == nil && string(x) == string(y)
}
