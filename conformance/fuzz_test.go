package conformance

import (
	"os"
	"strings"
	"testing"
)

// Whatever a tool prints, it is read or said to be wrong, and what reads as an
// envelope is one object.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(get))
	f.Add([]byte("\n"))
	f.Add([]byte(list))
	f.Add([]byte(failure))
	f.Add([]byte(`{"ok":true,"ok":false,"meta":{"cost_usd":1e999},"data":{"n":99999999999999999999}}` + "\n"))
	f.Add([]byte("{\"a\":\"\xff\x00\"}\n"))
	f.Add([]byte(`{"ok":"yes","error":[],"meta":{"pagination":7,"truncated":"no"}}` + "\n"))
	answers, err := NewAnswers([]byte(strings.Replace(describeDoc, `,{"code":"LIAR_CODE","exit":3,"retryable":true}`, "", 1)))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, stdout []byte) {
		e := readEnvelope(stdout)
		if e.frame == nil && (stdout[0] != '{' || stdout[len(stdout)-1] != '\n') {
			t.Error("that is no object and a newline")
		}
		if len(e.hygiene) > 5 {
			t.Error("too much is said")
		}
		_, _ = e.items()
		_ = members(e.Data)
		if err := answers.Check([]string{"cup", "get", "--json"}, 0, stdout); err == nil && !e.OK {
			t.Error("a failure with exit 0 passes")
		}
	})
}

// A describe document is read, or refused; what is read can be asked about and its
// lines can be made.
func FuzzDescribe(f *testing.F) {
	f.Add([]byte(describeDoc))
	f.Add([]byte(`{"commands":[{"name":"","flags":[{"name":"--","enum":[]}],"args":[{}]}],"schemas":{"a.b@1":{"$ref":"#"}}}`))
	f.Add([]byte(`{"schemas":{"a.b@1":{"$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"}]}},"$ref":"#/$defs/x"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadDescribe(text)
		if err != nil {
			return
		}
		_ = d.problems(text)
		_, _ = DescribeDigest(text)
		for i := range d.Commands {
			c := &d.Commands[i]
			_ = made(c).argv(c)
			_ = split(c, c.Example).argv(c)
		}
		for _, s := range d.Schemas {
			if r, err := compileSchema(s); err == nil {
				_ = validate(r, []byte(`{"a":[{"b":{}}]}`))
			}
		}
	})
}

// spec.yaml, SKILL.md and profiles are read, or refused.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte("tool: shelf\ncontract_version: 0\n"))
	f.Add([]byte("a: &a [*a]\ntool: *a\n"))
	f.Add([]byte("---\nname: shelf\ndescription: d\nmetadata: {contract_version: 0}\n---\n<!-- describe sha256:0 -->\n"))
	if text, err := os.ReadFile("testdata/shelf/verify.toml"); err == nil {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := ReadSpec(text); err == nil && s == nil {
			t.Error("no spec and no error")
		}
		if s, err := ReadSkill(text); err == nil {
			_ = s.problems("shelf")
		}
		if p, err := DecodeProfile(text); err == nil && p == nil {
			t.Error("no profile and no error")
		}
	})
}

// A plan is edited or refused, and an edit that changes nothing keeps its checksum.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(`{"schema":"shelf.plan@1","items":[{"id":"a","params":{"n":"x","i":12345678901234567890}}],"checksum":"x","approval_id":null}`))
	f.Add([]byte(`{"items":[7]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = planProblems(text, "shelf", "cup plan")
		before, err := checksum(text)
		if err != nil {
			return
		}
		same, err := edited(text, false, func(map[string]any, []any) {})
		if err != nil {
			return
		}
		if after, err := checksum(same); err != nil || after != before {
			t.Errorf("reading and writing a plan changes it: %v\n%s\n%s", err, text, same)
		}
		_, _ = edited(text, true, tampered)
	})
}
