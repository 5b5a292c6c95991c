package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/internal/pattern"
	"go.yaml.in/yaml/v3"
)

// upstream calls a command of the profile while a server on loopback answers as f.
func (t *trial) upstream(try Try, args []string, answers http.HandlerFunc) *answer {
	c := t.desc.command(try.Command)
	if c == nil {
		t.fail(nil, "the profile's command %q is not declared", try.Command)
		return nil
	}
	s := httptest.NewServer(answers)
	defer s.Close()
	defer s.CloseClientConnections()
	w, err := t.worldAt(true, s.URL)
	if err != nil {
		t.broken = err
		return nil
	}
	env := map[string]string{}
	for name, value := range try.Env {
		env[name] = strings.ReplaceAll(value, "{url}", s.URL)
	}
	return t.ask(call{argv: append(append(c.words(), args...), "--json"), command: c.Name, env: env, in: w, net: true})[0]
}

// render writes the address into the files of a fixture that ask for it.
func render(dir, url string) error {
	for path, is := range survey(dir) {
		if is == "dir" || strings.HasPrefix(is, "link") {
			continue
		}
		name := filepath.Join(dir, path)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("{url}")) {
			if err := os.WriteFile(name, bytes.ReplaceAll(text, []byte("{url}"), []byte(url)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func upstreamFails(t *trial) {
	u := t.profile.Upstream
	if u == nil {
		t.wants("[upstream]")
		return
	}
	status := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(n)
			_, _ = w.Write([]byte(`{"error":{"message":"no"}}`))
		}
	}
	for _, tc := range []struct {
		what    string
		answers http.HandlerFunc
		exit    int
		code    string
	}{
		{"a status of 500", status(500), 4, ""},
		{"a status of 429", status(429), 4, ""},
		{"a status of 401", status(401), 3, "CREDENTIAL_REJECTED"},
		{"no answer", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(t.limit):
			}
		}, 4, ""},
	} {
		args := u.Args
		if tc.what == "no answer" {
			if u.HangArgs == nil {
				continue
			}
			args = u.HangArgs
		}
		a := t.upstream(u.Try, args, tc.answers)
		if a == nil || !t.saw(a) {
			continue
		}
		if a.exit != tc.exit || tc.code != "" && a.code() != tc.code {
			t.fail(a, "%s: exit %d with the code %q, want %d %s", tc.what, a.exit, a.code(), tc.exit, tc.code)
		}
	}
	if u.Answer == "" {
		return
	}
	a := t.upstream(u.Try, u.Args, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for name, value := range u.Headers {
			w.Header().Set(name, value)
		}
		_, _ = w.Write([]byte(u.Answer))
	})
	if a != nil && t.saw(a) && !a.ok() {
		t.fail(a, "the profile's answer is not taken: exit %d with the code %q", a.exit, a.code())
	}
}

func credentialMissing(t *trial) {
	p := t.profile.Credential
	if p == nil {
		t.wants("[credential]")
		return
	}
	c := t.desc.command(p.Command)
	if c == nil {
		t.fail(nil, "the profile's command %q is not declared", p.Command)
		return
	}
	a := t.ask(call{argv: append(append(c.words(), p.Args...), "--json"), command: c.Name, env: p.Env, unset: []string{p.Variable}, fixture: true, stdin: idleStdin})[0]
	if !t.saw(a) {
		return
	}
	switch e := a.envelope().Error; {
	case a.exit != 3 || a.code() != "CREDENTIAL_MISSING":
		t.fail(a, "exit %d with the code %q, want 3 and CREDENTIAL_MISSING", a.exit, a.code())
	case !strings.Contains(e.Message, p.Variable):
		t.fail(a, "the message does not name %s", p.Variable)
	}
}

// maxDoc bounds the files that are read beside the tool.
const maxDoc = 1 << 20

func readDoc(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", filepath.Base(name))
	}
	if info.Size() > maxDoc || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file of at most %d bytes", filepath.Base(name), maxDoc)
	}
	return os.ReadFile(name)
}

// A Spec is what is read of a spec.yaml.
type Spec struct {
	Tool            string `yaml:"tool"`
	ContractVersion *int   `yaml:"contract_version"`
}

// ReadSpec reads a spec.yaml. Members it does not know are let be.
func ReadSpec(text []byte) (s *Spec, err error) {
	if len(text) > maxDoc {
		return nil, fmt.Errorf("it has %d bytes, at most %d are read", len(text), maxDoc)
	}
	s = new(Spec)
	if err := yaml.Unmarshal(text, s); err != nil {
		return nil, errors.New(oneLine(err.Error(), 200))
	}
	return s, nil
}

func spec(t *trial) {
	if t.profile.Spec == "" {
		t.wants("spec, or --spec")
		return
	}
	t.looked++
	text, err := readDoc(t.profile.Spec)
	if err != nil {
		t.fail(nil, "%v", err)
		return
	}
	s, err := ReadSpec(text)
	switch {
	case err != nil:
		t.fail(nil, "spec.yaml: %v", err)
	case s.Tool != t.desc.Tool:
		t.fail(nil, "spec.yaml: tool is %q, describe says %q", s.Tool, t.desc.Tool)
	case s.ContractVersion == nil || *s.ContractVersion != t.desc.ContractVersion:
		t.fail(nil, "spec.yaml: contract_version is missing or not %d", t.desc.ContractVersion)
	}
}

// A Skill is what is read of a SKILL.md.
type Skill struct {
	Name          string         `yaml:"name"`
	Description   string         `yaml:"description"`
	Compatibility string         `yaml:"compatibility"`
	Metadata      map[string]any `yaml:"metadata"`

	Lines  int    // of the body
	Digest string // of the describe document that it was made from; "" where it does not say
}

var (
	skillName   = pattern.Lazy(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	skillDigest = pattern.Lazy(`<!--[^>]*\bdescribe sha256:([0-9a-f]{64})\b[^>]*-->`)
)

// ReadSkill reads a SKILL.md: its frontmatter, and the marker in its body.
func ReadSkill(text []byte) (*Skill, error) {
	if len(text) > maxDoc {
		return nil, fmt.Errorf("it has %d bytes, at most %d are read", len(text), maxDoc)
	}
	rest, ok := bytes.CutPrefix(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("---\n"))
	front, body, closed := bytes.Cut(rest, []byte("\n---\n"))
	if !ok || !closed {
		return nil, errors.New("it has no frontmatter between two lines of ---")
	}
	s := new(Skill)
	if err := yaml.Unmarshal(front, s); err != nil {
		return nil, errors.New(oneLine(err.Error(), 200))
	}
	s.Lines = bytes.Count(body, []byte("\n"))
	if m := skillDigest().FindSubmatch(body); m != nil {
		s.Digest = string(m[1])
	}
	return s, nil
}

// DescribeDigest is the digest that a SKILL.md holds of the describe document: of
// its RFC 8785 form without the tool's version, so that a build does not change it.
func DescribeDigest(describe []byte) (string, error) {
	var doc map[string]jsontext.Value
	if err := jsonv2.Unmarshal(bytes.TrimSpace(describe), &doc); err != nil {
		return "", err
	}
	delete(doc, "version")
	v, err := jsonv2.Marshal(doc)
	if err != nil {
		return "", err
	}
	canonical := jsontext.Value(v)
	if err := canonical.Canonicalize(); err != nil {
		return "", err
	}
	return sum(canonical), nil
}

func skill(t *trial) {
	if t.profile.Skill == "" {
		t.wants("skill, or --skill")
		return
	}
	t.looked++
	text, err := readDoc(t.profile.Skill)
	if err != nil {
		t.fail(nil, "%v", err)
		return
	}
	s, err := ReadSkill(text)
	if err != nil {
		t.fail(nil, "SKILL.md: %v", err)
		return
	}
	want, err := DescribeDigest(t.suite.describe.stdout)
	if err != nil {
		t.broken = err
		return
	}
	for _, wrong := range slices.DeleteFunc(s.problems(filepath.Base(filepath.Dir(t.profile.Skill))), func(s string) bool { return s == "" }) {
		t.fail(nil, "SKILL.md: %s", wrong)
	}
	if s.Digest != want && s.Digest != sum(bytes.TrimSpace(t.suite.describe.stdout)) {
		t.fail(nil, "SKILL.md was made from another describe document: it holds %q, and this one is %s", s.Digest, want)
	}
}

func (s *Skill) problems(folder string) []string {
	say := func(is bool, format string, args ...any) string {
		if !is {
			return ""
		}
		return fmt.Sprintf(format, args...)
	}
	return []string{
		say(!skillName().MatchString(s.Name) || len(s.Name) > 64, "the name %q is none", s.Name),
		say(s.Name != folder, "the name %q is not that of its folder, %q", s.Name, folder),
		say(s.Description == "" || len(s.Description) > 1024, "the description has %d characters, want 1 to 1024", len(s.Description)),
		say(len(s.Compatibility) > 500, "compatibility has %d characters, at most 500", len(s.Compatibility)),
		say(s.Metadata["contract_version"] == nil || s.Metadata["tool_version"] == nil, "metadata lacks contract_version or tool_version"),
		say(s.Lines >= 500, "the body has %d lines, want fewer than 500", s.Lines),
	}
}
