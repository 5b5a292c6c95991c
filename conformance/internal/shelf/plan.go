package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// A change of cups.json: each item adds a cup, and each leaves a line in effects.log.
type item struct {
	ID            string            `json:"id"`
	Action        string            `json:"action"`
	Reason        string            `json:"reason"`
	Params        map[string]any    `json:"params"`
	Key           string            `json:"idempotency_key"`
	Targets       []string          `json:"target_resource_ids"`
	Preconditions []json.RawMessage `json:"preconditions"`
	Impact        map[string]any    `json:"projected_impact,omitempty"`
}

type planDoc struct {
	Schema          string            `json:"schema"`
	Tool            string            `json:"tool"`
	Command         string            `json:"command"`
	ContractVersion int               `json:"contract_version"`
	ID              string            `json:"plan_id"`
	Created         string            `json:"created"`
	Expiry          string            `json:"expiry"`
	Base            map[string]string `json:"base"`
	Policy          string            `json:"policy_version"`
	Approval        *string           `json:"approval_id"`
	Items           []item            `json:"items"`
	Checksum        string            `json:"checksum,omitempty"`
}

// sum is the checksum of a plan's text: its keys sorted, as Go writes maps.
func sum(text []byte) string {
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&doc) != nil {
		return ""
	}
	delete(doc, "checksum")
	delete(doc, "approval_id")
	out, _ := json.Marshal(doc)
	return "sha256:" + digest(out)
}

// wanted are the items that would bring the cups to seven.
func wanted(smash bool) []item {
	var out []item
	have := cups()
	for i := 6; i <= 7; i++ {
		id := fmt.Sprintf("c%d", i)
		if slices.ContainsFunc(have, func(c cup) bool { return c.ID == id }) {
			continue
		}
		out = append(out, item{ID: "add-" + id, Action: "create", Reason: "seven are wanted", Params: map[string]any{"colour": "red", "id": id},
			Targets: []string{"cup/" + id}, Preconditions: []json.RawMessage{json.RawMessage(`{"file_sha256":"` + base() + `"}`)}})
	}
	if smash {
		out = append(out, item{ID: "smash-c1", Action: "delete", Reason: "it was asked for", Params: map[string]any{"id": "c1"}, Targets: []string{"cup/c1"}, Preconditions: []json.RawMessage{}})
	}
	for i := range out {
		raw, _ := json.Marshal(out[i])
		out[i].Key = digest(append(raw, base()...))
		if mutant("C042") {
			out[i].Key = digest([]byte(time.Now().String()))
		}
		if mutant("C041") {
			out[i].Impact = map[string]any{"weight": json.Number("1.5")}
		}
	}
	return out
}

func base() string {
	text, _ := os.ReadFile("cups.json")
	return digest(text)
}

func plan(c *call) (map[string]any, *failure) {
	now := time.Now().UTC()
	p := planDoc{Schema: "shelf.plan@1", Tool: "shelf", Command: "cup plan", ID: "pl_abcdefghijklmnopqrstuvwxyz",
		Created: now.Format(time.RFC3339), Expiry: now.Add(time.Hour).Format(time.RFC3339), Base: map[string]string{"cups.json": base()}, Policy: "1", Items: wanted(c.flags["smash"] != "")}
	if p.Items == nil {
		p.Items = []item{}
	}
	text, _ := json.Marshal(p)
	p.Checksum = sum(text)
	text, _ = json.Marshal(p)
	out := c.flags["out"]
	if out != "" {
		if err := os.WriteFile(out, text, 0o644); err != nil {
			return nil, fail("INVALID_VALUE", "--out cannot be written")
		}
	}
	return map[string]any{"items": len(p.Items), "out": out}, nil
}

// A record is one line of the ledger.
type record struct {
	Kind, Sum, Item string
}

func ledger(sum string) map[string]string {
	state := map[string]string{}
	text, _ := os.ReadFile("ledger.jsonl")
	for line := range bytes.Lines(text) {
		var r record
		if json.Unmarshal(line, &r) == nil && r.Sum == sum {
			state[r.Item] = r.Kind
		}
	}
	return state
}

func note(kind, sum, id string) {
	f, err := os.OpenFile("ledger.jsonl", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	text, _ := json.Marshal(record{kind, sum, id})
	_, _ = f.Write(append(text, '\n'))
	_ = f.Sync()
}

func readPlan(name string) (*planDoc, []byte, *failure) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, fail("PLAN_INVALID", "the plan cannot be read")
	}
	p := new(planDoc)
	d := json.NewDecoder(bytes.NewReader(text))
	if !mutant("C047") {
		d.DisallowUnknownFields()
	}
	if d.Decode(p) != nil {
		return nil, nil, fail("PLAN_INVALID", "the plan is none")
	}
	seen := map[string]bool{}
	for _, it := range p.Items {
		known := slices.Contains([]string{"create", "update", "delete", "resolve", "adopt"}, it.Action)
		for _, pre := range it.Preconditions {
			known = known && bytes.Contains(pre, []byte(`"file_sha256"`))
		}
		if !known || seen[it.ID] {
			return nil, nil, fail("PLAN_INVALID", "item %s is none", it.ID)
		}
		seen[it.ID] = true
	}
	return p, text, nil
}

func apply(c *call) (map[string]any, *failure) {
	p, text, e := readPlan(c.flags["plan"])
	if e != nil {
		return nil, e
	}
	if sum(text) != p.Checksum && !mutant("C044") {
		return nil, fail("PLAN_CHECKSUM_MISMATCH", "the plan was changed")
	}
	if expiry, err := time.Parse(time.RFC3339, p.Expiry); err != nil || time.Now().After(expiry) && !mutant("C046") {
		return nil, fail("PLAN_EXPIRED", "the plan has expired")
	}
	state := ledger(p.Checksum)
	if len(state) == 0 && p.Base["cups.json"] != base() {
		return nil, fail("PLAN_STALE", "cups.json has moved")
	}
	if e := gate(c, p, state); e != nil {
		return nil, e
	}
	return land(c, p, state)
}

// gate lets pass what a fresh look would plan too; nothing is ever smashed without
// an approval, and no approval is known here.
func gate(c *call, p *planDoc, state map[string]string) *failure {
	if mutant("C048") && c.flags["force"] != "" {
		return nil
	}
	fresh := wanted(false)
	for _, it := range p.Items {
		same := slices.ContainsFunc(fresh, func(w item) bool { return w.ID == it.ID && fmt.Sprint(w.Params) == fmt.Sprint(it.Params) })
		if mutant("C045") && it.Action == "create" {
			same = true
		}
		if !same && state[it.ID] == "" {
			if c.flags["approval"] != "" {
				return fail("APPROVAL_INVALID", "that approval is for another plan")
			}
			return fail("APPROVAL_REQUIRED", "item %s needs an approval", it.ID)
		}
	}
	return nil
}

// land does what is to be done.
func land(c *call, p *planDoc, state map[string]string) (map[string]any, *failure) {
	status, items, before := "complete", []any{}, 0
	for _, it := range p.Items {
		id, _ := it.Params["id"].(string)
		there := slices.ContainsFunc(cups(), func(one cup) bool { return one.ID == id })
		outcome := "executed"
		switch {
		case state[it.ID] == "confirm":
			outcome = "landed_before"
			before++
		case there && !(mutant("C051") && state[it.ID] == "intent"):
			outcome = "noop"
		}
		switch {
		case c.flags["dry-run"] != "":
			if mutant("C049") {
				note("intent", p.Checksum, it.ID)
			}
		case outcome == "noop":
			note("confirm", p.Checksum, it.ID)
		case outcome == "executed":
			note("intent", p.Checksum, it.ID)
			if os.Getenv("SHELF_FAIL") == it.ID {
				note("failed", p.Checksum, it.ID)
				outcome = "failed"
				if !mutant("C052") {
					status = "partial"
				}
				break
			}
			add(id)
			if os.Getenv("SHELF_KILL") != "" {
				kill()
			}
			note("confirm", p.Checksum, it.ID)
		}
		items = append(items, map[string]any{"id": it.ID, "outcome": outcome})
	}
	if before == len(p.Items) && mutant("C050") {
		items[0].(map[string]any)["outcome"] = "executed"
	}
	return map[string]any{"status": status, "items": items}, nil
}

// add is the effect.
func add(id string) {
	all := append(cups(), cup{id, "red"})
	text, _ := json.Marshal(all)
	_ = os.WriteFile("cups.json", text, 0o644)
	f, err := os.OpenFile("effects.log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, _ = fmt.Fprintln(f, id)
		_ = f.Close()
	}
}

// kill ends the process as a power cut would.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = p.Kill()
	}
	select {}
}
