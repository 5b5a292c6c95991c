package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/internal/pattern"
)

var newer = pattern.Lazy(`("schema":"[^"@]*)@[0-9]+`)

// A sandbox is a copy of the fixture with a plan for it.
type sandbox struct {
	*world
	m    *Mutation
	plan []byte
	made *answer
}

// mutations are the profile's, or a word on what is missing.
func (t *trial) mutations() []*Mutation {
	var out []*Mutation
	for i := range t.profile.Mutations {
		m := &t.profile.Mutations[i]
		if t.desc.command(m.Resource+" plan") == nil || t.desc.command(m.Resource+" apply") == nil {
			t.fail(nil, "the profile's mutation %q has no plan and apply in describe", m.Resource)
			continue
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		t.wants("[[mutation]]")
	}
	return out
}

// planned makes a sandbox and a plan in it, of the words of the profile.
func (t *trial) planned(m *Mutation, words []string) *sandbox {
	w, err := t.world(true)
	if err != nil {
		t.broken = err
		return nil
	}
	s := &sandbox{world: w, m: m}
	s.made = t.plan(s, words)
	if s.plan == nil {
		return nil
	}
	return s
}

// plan plans in a sandbox and takes up what came of it.
func (t *trial) plan(s *sandbox, words []string) *answer {
	c := t.desc.command(s.m.Resource + " plan")
	words = fill(words, s.world, s.m)
	a := t.ask(call{argv: append(append(c.words(), words...), "--json"), command: c.Name, in: s.world})[0]
	if !t.saw(a) {
		return a
	}
	if !a.ok() {
		t.fail(a, "exit %d with the code %q; the profile says that this is planned", a.exit, a.code())
		return a
	}
	plan, err := os.ReadFile(s.planFile())
	if err != nil { // a tool that has no --out prints the plan as data
		plan = a.envelope().Data
	}
	s.plan = plan
	return a
}

// planFile lies beside what the run may see changed.
func (w *world) planFile() string { return filepath.Join(w.root, "plan.json") }

func fill(words []string, w *world, m *Mutation) []string {
	out := slices.Clone(words)
	for i := range out {
		out[i] = strings.NewReplacer("{plan}", w.planFile(), "{approval}", m.Approval).Replace(out[i])
	}
	return out
}

// apply applies a plan in a sandbox.
func (t *trial) apply(s *sandbox, plan []byte, env map[string]string, more ...string) *answer {
	if err := os.WriteFile(s.planFile(), plan, 0o644); err != nil {
		return &answer{failed: err, exit: -1}
	}
	c := t.desc.command(s.m.Resource + " apply")
	argv := append(c.words(), "--plan", s.planFile())
	argv = append(append(argv, fill(s.m.Apply, s.world, s.m)...), more...)
	return t.ask(call{argv: append(argv, "--json"), command: c.Name, in: s.world, env: env, dies: env != nil && maps.Equal(env, s.m.Kill)})[0]
}

// refused wants an apply to fail with an exit and one of the codes, and to leave
// the sandbox as it was.
func (t *trial) refused(a *answer, what string, exit int, codes ...string) {
	if !t.saw(a) {
		return
	}
	switch {
	case a.exit != exit || !slices.Contains(codes, a.code()):
		t.fail(a, "%s: exit %d with the code %q, want %d and %s", what, a.exit, a.code(), exit, strings.Join(codes, " or "))
	case len(ofTarget(a.changed)) > 0:
		t.fail(a, "%s: it was refused, and changed %s", what, strings.Join(a.changed, ", "))
	}
}

// ofTarget leaves out what tools keep of their own beside a target: a ledger and a lock.
func ofTarget(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), own)
}

func own(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return strings.Contains(name, "ledger") || strings.Contains(name, "lock")
}

// A planDoc is what is looked at of a plan.
type planDoc struct {
	Schema        string         `json:"schema"`
	Tool          string         `json:"tool"`
	Command       string         `json:"command"`
	PlanID        string         `json:"plan_id"`
	Created       string         `json:"created"`
	Expiry        string         `json:"expiry"`
	Base          jsontext.Value `json:"base"`
	PolicyVersion string         `json:"policy_version"`
	ApprovalID    jsontext.Value `json:"approval_id"`
	Items         []planItem     `json:"items"`
	Checksum      string         `json:"checksum"`
}

type planItem struct {
	ID             string           `json:"id"`
	Action         string           `json:"action"`
	Reason         string           `json:"reason"`
	Params         jsontext.Value   `json:"params"`
	IdempotencyKey string           `json:"idempotency_key"`
	Targets        []string         `json:"target_resource_ids"`
	Preconditions  []jsontext.Value `json:"preconditions"`
}

var (
	planID  = pattern.Lazy(`^pl_[a-z2-7A-Z]{26}$`)
	actions = []string{"create", "update", "delete", "resolve", "adopt"}
)

func planWhole(t *trial) {
	for _, m := range t.mutations() {
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		for _, wrong := range planProblems(s.plan, t.desc.Tool, m.Resource+" plan") {
			t.fail(s.made, "%s", wrong)
		}
	}
}

func planProblems(text []byte, tool, command string) []string {
	var p planDoc
	if err := jsonv2.Unmarshal(text, &p); err != nil {
		return []string{"the plan cannot be read: " + oneLine(err.Error(), 200)}
	}
	var out []string
	bad := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	created, err1 := time.Parse(time.RFC3339, p.Created)
	expiry, err2 := time.Parse(time.RFC3339, p.Expiry)
	bad(!strings.HasPrefix(p.Schema, tool+".plan@"), "schema is %q", p.Schema)
	bad(p.Tool != tool || p.Command != command, "it is of %q %q", p.Tool, p.Command)
	bad(!planID().MatchString(p.PlanID), "plan_id is %q", p.PlanID)
	bad(err1 != nil || err2 != nil || !expiry.After(created) || expiry.Sub(created) > 24*time.Hour, "it lives from %q to %q", p.Created, p.Expiry)
	bad(p.Base.Kind() != '{' || p.PolicyVersion == "" || p.ApprovalID == nil, "base, policy_version or approval_id is missing")
	bad(len(p.Items) == 0, "it has no items, and the profile says that it has")
	seen := map[string]bool{}
	for i, item := range p.Items {
		bad(item.ID == "" || seen[item.ID], "item %d: the id %q is empty or not its own", i, item.ID)
		seen[item.ID] = true
		bad(!slices.Contains(actions, item.Action), "item %d: the action %q", i, item.Action)
		bad(item.Reason == "" || item.IdempotencyKey == "" || item.Params == nil || item.Preconditions == nil || item.Targets == nil,
			"item %d: reason, params, idempotency_key, target_resource_ids or preconditions is missing", i)
	}
	if want, err := checksum(text); err != nil {
		bad(true, "no checksum can be made: %v", err)
	} else {
		bad(p.Checksum != want, "checksum is %q, and the contents give %q", p.Checksum, want)
	}
	return append(out, inexact(text)...)
}

// inexact lists numbers that have more than one spelling.
func inexact(text []byte) []string {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		tok, err := d.ReadToken()
		if errors.Is(err, io.EOF) || err != nil {
			return nil
		}
		if tok.Kind() == '0' && (strings.ContainsAny(tok.String(), ".eE") || unsafeInteger(tok.String())) {
			return []string{fmt.Sprintf("%s is neither an integer below 2^53 nor a decimal string, at %s", tok.String(), d.StackPointer())}
		}
	}
}

// checksum is that of a plan: over its RFC 8785 form without checksum and approval_id.
func checksum(text []byte) (string, error) {
	var doc map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &doc); err != nil {
		return "", err
	}
	delete(doc, "checksum")
	delete(doc, "approval_id")
	v, err := jsonv2.Marshal(doc)
	if err != nil {
		return "", err
	}
	canonical := jsontext.Value(v)
	if err := canonical.Canonicalize(); err != nil {
		return "", err
	}
	return "sha256:" + sum(canonical), nil
}

// An edit changes a plan, as a tree of maps and lists.
type edit func(plan map[string]any, items []any)

// edited gives a plan changed, with its checksum made anew or left as it was.
func edited(text []byte, rehash bool, change edit) ([]byte, error) {
	var doc map[string]any
	if err := jsonv2.Unmarshal(text, &doc, numbersAsText); err != nil {
		return nil, err
	}
	items, _ := doc["items"].([]any)
	if len(items) == 0 {
		return nil, errors.New("the plan has no items")
	}
	if _, ok := items[0].(map[string]any); !ok {
		return nil, errors.New("an item of the plan is no object")
	}
	change(doc, items)
	out, err := jsonv2.Marshal(doc, jsonv2.Deterministic(true), numbersFromText)
	if err != nil || !rehash {
		return out, err
	}
	sum, err := checksum(out)
	if err != nil {
		return nil, err
	}
	doc["checksum"] = sum
	return jsonv2.Marshal(doc, jsonv2.Deterministic(true), numbersFromText)
}

// A digits is a number that keeps its spelling.
type digits string

var (
	numbersAsText = jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		if d.PeekKind() != '0' {
			return errors.ErrUnsupported
		}
		tok, err := d.ReadToken()
		*v = digits(tok.String())
		return err
	}))
	numbersFromText = jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(e *jsontext.Encoder, v digits) error {
		return e.WriteValue(jsontext.Value(v))
	}))
)

// tampered changes the first text in params that is no name of a file or a digest,
// so that the plan stays well formed; without one it adds a member.
func tampered(_ map[string]any, items []any) {
	item, _ := items[0].(map[string]any)
	params, _ := item["params"].(map[string]any)
	if params == nil {
		item["params"] = map[string]any{"tampered": "yes"}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if s, ok := params[name].(string); ok && !strings.Contains(s, "sha256") && !strings.Contains(strings.ToLower(name), "path") && !strings.Contains(strings.ToLower(name), "file") {
			params[name] = s + "x"
			return
		}
	}
	params["tampered"] = "yes"
}

// tampering is how the profile says that a plan is changed, or a way of our own.
func tampering(m *Mutation) edit {
	if len(m.Forge) == 0 {
		return tampered
	}
	return func(plan map[string]any, _ []any) {
		for _, f := range m.Forge {
			above, last := f.At[:strings.LastIndexByte("/"+f.At, '/')], f.At[strings.LastIndexByte(f.At, '/')+1:]
			if o, ok := pointer(plan, strings.TrimSuffix(above, "/")).(map[string]any); ok {
				o[last] = f.Value
			}
		}
	}
}

// forge applies an edited plan.
func (t *trial) forge(s *sandbox, rehash bool, change edit, what string, exit int, codes ...string) {
	plan, err := edited(s.plan, rehash, change)
	if err != nil {
		t.fail(s.made, "%s: the plan cannot be edited: %v", what, err)
		return
	}
	t.refused(t.apply(s, plan, nil), what, exit, codes...)
}

func planStable(t *trial) {
	for _, m := range t.mutations() {
		var keys [2][]string
		for round := range 2 {
			s := t.planned(m, m.Plan)
			if s == nil {
				return
			}
			var p planDoc
			_ = jsonv2.Unmarshal(s.plan, &p) // C041 says what is wrong with it
			for _, item := range p.Items {
				keys[round] = append(keys[round], item.ID+" "+item.Action+" "+item.IdempotencyKey+" "+string(item.Params))
			}
		}
		if !slices.Equal(keys[0], keys[1]) {
			t.fail(nil, "%s plan: another plan for the same world: %s", m.Resource, strings.Join(keys[1], "; "))
		}
	}
}

func applyNeedsPlan(t *trial) {
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		if c.Verb != "apply" {
			continue
		}
		full := t.lines()[c.Name].line
		bare := full.without("--plan")
		free := full.with("--plan", "nothing-has-this-name")
		free.args = append(slices.Clone(free.args), "free-argument")
		for _, l := range []line{bare, free} {
			one := t.call(c, l)
			one.usage = true
			if a := t.ask(one)[0]; t.saw(a) && a.exit != 2 {
				t.fail(a, "exit %d with the code %q, want 2", a.exit, a.code())
			}
		}
	}
}

func planChanged(t *trial) {
	for _, m := range t.mutations() {
		if s := t.planned(m, m.Plan); s != nil {
			t.forge(s, false, tampering(m), "params changed", 3, "PLAN_CHECKSUM_MISMATCH")
		}
	}
}

func planForged(t *trial) {
	for _, m := range t.mutations() {
		if s := t.planned(m, m.Plan); s != nil {
			t.forge(s, true, tampering(m), "params changed and the checksum made anew", 5, "APPROVAL_REQUIRED", "APPROVAL_INVALID", "POLICY_DENIED")
		}
	}
}

func planStale(t *trial) {
	for _, m := range t.mutations() {
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		t.forge(s, true, func(plan map[string]any, _ []any) {
			plan["created"], plan["expiry"] = "2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z"
		}, "expired", 3, "PLAN_EXPIRED")
		if m.Moved == "" {
			t.wants("mutation.moved")
			continue
		}
		moved := filepath.Join(s.cwd(), m.Moved)
		text, err := os.ReadFile(moved)
		if err == nil {
			err = os.WriteFile(moved, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.broken = err
			return
		}
		t.refused(t.apply(s, s.plan, nil), "the base moved", 3, "PLAN_STALE")
	}
}

func planUnknown(t *trial) {
	for _, m := range t.mutations() {
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		first := func(items []any) map[string]any { item, _ := items[0].(map[string]any); return item }
		for what, change := range map[string]edit{
			"an unknown action": func(_ map[string]any, items []any) { first(items)["action"] = "frobnicate" },
			"an unknown precondition": func(_ map[string]any, items []any) {
				first(items)["preconditions"] = []any{map[string]any{"moon_phase": "full"}}
			},
			"an unknown field":      func(plan map[string]any, _ []any) { plan["frobnicate"] = "yes" },
			"an unknown item field": func(_ map[string]any, items []any) { first(items)["frobnicate"] = "yes" },
			"an id given twice":     func(plan map[string]any, items []any) { plan["items"] = append(items, items[0]) },
		} {
			t.forge(s, true, change, what, 3, "PLAN_INVALID")
		}
	}
}

func gateHolds(t *trial) {
	for _, m := range t.mutations() {
		words := m.Gated
		if words == nil {
			words = m.Plan
		}
		s := t.planned(m, words)
		if s == nil {
			continue
		}
		plan := s.plan
		if m.Gated == nil { // an edited plan is one that nobody approved
			var err error
			if plan, err = edited(plan, true, tampering(m)); err != nil {
				t.fail(s.made, "the plan cannot be edited: %v", err)
				continue
			}
		}
		before := t.apply(s, plan, nil)
		if !t.saw(before) || before.exit != 5 {
			t.fail(before, "exit %d, want 5: the plan needs an approval", before.exit)
			continue
		}
		t.refused(t.apply(s, plan, nil, "--force", "--yes"), "--force --yes", 5, before.code())
		if m.Approval != "" {
			t.refused(t.apply(s, plan, nil, "--approval", m.Approval), "another plan's approval", 5, "APPROVAL_REQUIRED", "APPROVAL_INVALID")
		}
	}
}

// A done is what apply says of each item.
type done struct {
	Status string `json:"status"`
	Items  []struct {
		ID      string `json:"id"`
		Outcome string `json:"outcome"`
	} `json:"items"`
}

// outcomes reads what an apply did; nil where it does not say.
func outcomes(a *answer) (string, map[string]string) {
	var d done
	if unmarshal(a.envelope().Data, &d) != nil || len(d.Items) == 0 {
		return d.Status, nil
	}
	out := map[string]string{}
	for _, item := range d.Items {
		out[item.ID] = item.Outcome
	}
	return d.Status, out
}

func applyDry(t *trial) {
	for _, m := range t.mutations() {
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		a := t.apply(s, s.plan, nil, "--dry-run")
		if !t.saw(a) {
			continue
		}
		switch _, items := outcomes(a); {
		case !a.ok():
			t.fail(a, "exit %d with the code %q", a.exit, a.code())
		case len(items) != s.items():
			t.fail(a, "it reports %d items of %d", len(items), s.items())
		case slices.ContainsFunc(a.changed, func(path string) bool { return !strings.Contains(strings.ToLower(path), "lock") }):
			t.fail(a, "it changed %s", strings.Join(a.changed, ", "))
		}
	}
}

func (s *sandbox) items() int {
	var p planDoc
	_ = jsonv2.Unmarshal(s.plan, &p)
	return len(p.Items)
}

// landedAlready wants nothing to have been done.
func (t *trial) landedAlready(a *answer, which func(id string) bool) {
	_, items := outcomes(a)
	if len(items) == 0 {
		t.fail(a, "it reports no items")
	}
	for id, outcome := range items {
		if which(id) && outcome != "landed_before" && outcome != "noop" {
			t.fail(a, "item %s is %q, want landed_before or noop", id, outcome)
		}
	}
}

func applyTwice(t *trial) {
	for _, m := range t.mutations() {
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		first := t.apply(s, s.plan, nil)
		if !t.saw(first) || !first.ok() {
			t.fail(first, "exit %d with the code %q", first.exit, first.code())
			continue
		}
		if status, items := outcomes(first); status != "complete" || len(items) != s.items() || len(first.changed) == 0 {
			t.fail(first, "status %q with %d items of %d; it changed %d files", status, len(items), s.items(), len(first.changed))
		}
		before := s.target()
		second := t.apply(s, s.plan, nil)
		if !t.saw(second) || !second.ok() {
			t.fail(second, "applied again: exit %d with the code %q", second.exit, second.code())
			continue
		}
		t.landedAlready(second, func(string) bool { return true })
		if changed := s.target().diff(before); len(changed) > 0 {
			t.fail(second, "applied again, it changed %s", strings.Join(changed, ", "))
		}
		t.once(s, second)
	}
}

// target is the sandbox without what tools keep of their own beside it: a ledger
// may grow.
func (s *sandbox) target() tree {
	t := survey(s.cwd())
	for path := range t {
		if own(path) {
			delete(t, path)
		}
	}
	return t
}

// once wants one line of effects for each item.
func (t *trial) once(s *sandbox, a *answer) {
	if s.m.Effects == "" {
		return
	}
	text, err := os.ReadFile(filepath.Join(s.cwd(), s.m.Effects))
	if n := bytes.Count(text, []byte("\n")); err != nil || n != s.items() {
		t.fail(a, "%d effects for %d items", n, s.items())
	}
}

func applyKilled(t *trial) {
	for _, m := range t.mutations() {
		if m.Kill == nil {
			t.wants("mutation.kill")
			continue
		}
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		first := t.apply(s, s.plan, m.Kill)
		if first.failed != nil || first.exit >= 0 && first.ok() {
			t.fail(first, "it was not killed: exit %d", first.exit)
			continue
		}
		again := t.apply(s, s.plan, nil)
		if !t.saw(again) || !again.ok() {
			t.fail(again, "after the kill: exit %d with the code %q", again.exit, again.code())
			continue
		}
		_, items := outcomes(again)
		landed := 0
		for _, outcome := range items {
			if outcome == "landed_before" || outcome == "noop" {
				landed++
			}
		}
		if landed == 0 {
			t.fail(again, "the item that was done is done again")
		}
		t.once(s, again)
	}
}

func applyPartial(t *trial) {
	for _, m := range t.mutations() {
		if m.Fail == nil && m.Block == "" {
			t.wants("mutation.fail or mutation.block")
			continue
		}
		s := t.planned(m, m.Plan)
		if s == nil {
			continue
		}
		block := filepath.Join(s.cwd(), m.Block, "a folder")
		if m.Block != "" {
			if err := os.MkdirAll(block, 0o755); err != nil {
				t.broken = err
				return
			}
		}
		first := t.apply(s, s.plan, m.Fail)
		if m.Block != "" {
			if err := os.RemoveAll(filepath.Dir(block)); err != nil {
				t.broken = err
				return
			}
		}
		if !t.saw(first) {
			continue
		}
		status, items := outcomes(first)
		failed := 0
		for _, outcome := range items {
			if outcome != "executed" && outcome != "noop" && outcome != "landed_before" {
				failed++
			}
		}
		if !first.ok() || status != "partial" || failed == 0 || len(items) != s.items() {
			t.fail(first, "exit %d, status %q, %d of %d items failed; want ok and partial", first.exit, status, failed, len(items))
			continue
		}
		again := t.apply(s, s.plan, nil)
		if !t.saw(again) || !again.ok() {
			t.fail(again, "run again: exit %d with the code %q", again.exit, again.code())
			continue
		}
		if status, _ := outcomes(again); status != "complete" {
			t.fail(again, "run again, the status is %q, want complete", status)
		}
		t.landedAlready(again, func(id string) bool { return items[id] == "executed" })
		t.once(s, again)
	}
}
