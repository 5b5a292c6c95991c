package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var commands []command

func init() {
	commands = []command{
		{path: "cup list", rw: "read", cost: "free", tier: 1, schema: "shelf.cup_list@1", bounded: true, run: list, example: []string{"cup", "list"},
			flags: []flag{{name: "colour", kind: "enum", enum: []string{"red", "blue"}}, cursorFlag}},
		{path: "cup get", rw: "read", cost: "free", tier: 1, schema: "shelf.cup@1", args: []string{"id"}, run: get, example: []string{"cup", "get", "c1"}},
		{path: "cup plan", rw: "read", cost: "free", tier: 1, schema: "shelf.plan@1", run: plan, example: []string{"cup", "plan"},
			flags: []flag{{name: "out", kind: "path"}, {name: "smash", kind: "bool"}}},
		{path: "cup apply", rw: "write", cost: "free", tier: 1, schema: "shelf.apply@1", run: apply, example: []string{"cup", "apply", "--plan", "plan.json"},
			flags: []flag{{name: "plan", kind: "path", required: true}, {name: "approval", kind: "path"}}},
		{path: "cup polish", rw: "read", cost: "free", tier: 2, schema: "shelf.polish@1", run: polish, example: []string{"cup", "polish", "--yes"}},
		{path: "saucer list", rw: "read", cost: "free", tier: 1, schema: "shelf.saucer_list@1", bounded: true, run: saucers, example: []string{"saucer", "list"}, flags: []flag{cursorFlag}},
		{path: "tea steep", rw: "read", cost: "free", tier: 2, schema: "shelf.stage.steep@1", run: steep, example: []string{"tea", "steep"},
			flags: []flag{{name: "leaves", kind: "int", min: 1, max: 9}}},
		{path: "tea pour", rw: "read", cost: "free", tier: 2, schema: "shelf.stage.pour@1", run: pour, example: []string{"tea", "pour", "--run-dir", "run"}},
		{path: "tea brew", rw: "read", cost: "free", tier: 2, schema: "shelf.brew@1", run: brew, example: []string{"tea", "brew", "--seconds", "0"},
			flags: []flag{{name: "seconds", kind: "int", min: 0, max: 60}}},
		{path: "oracle ask", rw: "read", cost: "metered", tier: 2, schema: "shelf.answer@1", args: []string{"question"}, run: ask, example: []string{"oracle", "ask", "why", "--spend-limit", "1"},
			flags: []flag{{name: "spend-limit", kind: "number", required: !mutant("C065")}}},
	}
}

var cursorFlag = flag{name: "cursor", kind: "string"}

var paths = map[string][]string{
	"shelf.cup_list@1": {"items", "items.id", "items.colour"}, "shelf.cup@1": {"id", "colour"}, "shelf.plan@1": {"items", "out"},
	"shelf.saucer_list@1": {"items", "items.id"}, "shelf.stage.steep@1": {"stage"}, "shelf.stage.pour@1": {"stage"}, "shelf.brew@1": {"done"},
	"shelf.polish@1": {"done"}, "shelf.answer@1": {"answer"}, "shelf.apply@1": {"status", "items"},
}

func object(required []string, props map[string]any) map[string]any {
	return map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": required, "properties": props}
}

func schemas() map[string]any {
	str := map[string]any{"type": "string"}
	item := func(props map[string]any) map[string]any {
		return object([]string{"items"}, map[string]any{"items": map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": props}}})
	}
	return map[string]any{
		"shelf.cup_list@1": item(map[string]any{"id": str, "colour": str}), "shelf.saucer_list@1": item(map[string]any{"id": str, "note": str}),
		"shelf.cup@1": object([]string{"id"}, map[string]any{"id": str}), "shelf.plan@1": object([]string{"items"}, map[string]any{"items": map[string]any{"type": "integer"}}),
		"shelf.apply@1": object([]string{"status", "items"}, map[string]any{"status": str}), "shelf.stage.steep@1": object([]string{"stage"}, map[string]any{"stage": str}),
		"shelf.stage.pour@1": object([]string{"stage"}, map[string]any{"stage": str}), "shelf.brew@1": object([]string{"done"}, map[string]any{"done": map[string]any{"type": "boolean"}}),
		"shelf.polish@1": object([]string{"done"}, map[string]any{"done": map[string]any{"type": "boolean"}}), "shelf.answer@1": object([]string{"answer"}, map[string]any{"answer": str}),
		"shelf.help@1": object([]string{"help"}, map[string]any{"help": str}), "shelf.version@1": object([]string{"version"}, map[string]any{"version": str}),
	}
}

func describe(argv []string) int {
	if mutant("C004") {
		_ = os.WriteFile(filepath.Join(os.Getenv("HOME"), ".shelf"), []byte("seen"), 0o644)
	}
	if mutant("C062") {
		time.Sleep(330 * time.Millisecond)
	}
	flags := func(list []flag) []any {
		out := []any{}
		for _, f := range list {
			d := map[string]any{"name": "--" + f.name, "type": f.kind, "required": f.required}
			if f.enum != nil {
				d["enum"] = f.enum
			}
			if f.kind == "int" {
				d["min"], d["max"] = f.min, f.max
			}
			out = append(out, d)
		}
		return out
	}
	list := []any{}
	for _, c := range commands {
		w := strings.Fields(c.path)
		d := map[string]any{"name": c.path, "verb": w[len(w)-1], "tier": c.tier, "rw": c.rw, "cost": c.cost, "flags": flags(c.flags),
			"result_schema": c.schema, "example": c.example, "args": []any{}}
		for _, a := range c.args {
			d["args"] = append(d["args"].([]any), map[string]any{"name": a, "required": true})
		}
		if c.bounded {
			d["bounded"] = map[string]any{"default_limit": defaultLimit, "max_limit": maxLimit}
		}
		switch {
		case mutant("C002") && c.path == "saucer list":
			delete(d, "flags")
		case mutant("C005") && c.path == "cup get":
			d["verb"] = "list"
		case mutant("C006") && c.path == "cup polish":
			d["tier"] = 1
		case mutant("C007") && c.path == "cup list":
			d["aliases"] = []string{"ls"}
		case mutant("C040") && c.path == "cup polish":
			d["rw"] = "write"
		}
		list = append(list, d)
	}
	codes := []any{}
	for _, code := range slices.Sorted(func(yield func(string) bool) {
		for c := range exits {
			if !yield(c) {
				return
			}
		}
	}) {
		codes = append(codes, map[string]any{"code": code, "exit": exits[code], "retryable": exits[code] == 4})
	}
	doc := map[string]any{
		"contract_version": 0, "tool": "shelf", "version": "1.0.0", "purpose": "Keep cups.", "universal_flags": flags(universal), "commands": list,
		"stages": []any{map[string]any{"pipeline": "tea", "order": []string{"steep", "pour"}}}, "error_codes": codes, "schemas": schemas(),
		"env": []any{map[string]any{"name": "ORACLE_KEY", "secret": true}, map[string]any{"name": "ORACLE_URL", "secret": false}},
	}
	if mutant("C003") && slices.Contains(argv, "--limit") {
		doc["limited"] = true
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return 1
	}
	if _, err := os.Stdout.Write(append(text, '\n')); err != nil || mutant("C001") {
		return 1
	}
	return 0
}

type cup struct {
	ID     string `json:"id"`
	Colour string `json:"colour"`
}

// cups are those of the working directory, else the ones that shelf comes with.
func cups() []cup {
	var out []cup
	text, err := os.ReadFile("cups.json")
	if err != nil || json.Unmarshal(text, &out) != nil {
		for i := range 5 {
			out = append(out, cup{fmt.Sprintf("c%d", i+1), []string{"red", "blue"}[i%2]})
		}
	}
	return out
}

func list(c *call) (map[string]any, *failure) {
	var all []any
	for _, one := range cups() {
		if colour := c.flags["colour"]; colour == "" || colour == one.Colour {
			all = append(all, map[string]any{"id": one.ID, "colour": one.Colour})
		}
	}
	return c.page(all)
}

func saucers(c *call) (map[string]any, *failure) {
	var all []any
	for i := range 4 {
		all = append(all, map[string]any{"id": fmt.Sprintf("s%d", i+1)})
	}
	item := all[0].(map[string]any)
	switch {
	case mutant("C015"):
		item["id"] = 1
	case mutant("C016"):
		c.meta["outcome"] = map[string]any{"unit": "saucers", "projected": nil, "realized": nil, "cost_usd": 0, "confidence": nil}
	case mutant("C017"):
		item["weight"] = json.Number("9007199254740993")
	case mutant("C061") && c.flags["limit"] == "":
		item["note"] = strings.Repeat("x", 300<<10)
	case mutant("C066"):
		item["zone"] = os.Getenv("TZ")
	case mutant("C068"):
		c.meta["cost_usd"] = json.Number("1e101")
	}
	return c.page(all)
}

// page cuts a list by --limit and --cursor.
func (c *call) page(all []any) (map[string]any, *failure) {
	at := 0
	if cursor := c.flags["cursor"]; cursor != "" {
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		of, rest, ok := strings.Cut(string(text), "|")
		n, err2 := strconv.Atoi(strings.TrimSuffix(rest, "|end"))
		if err != nil || !ok || err2 != nil || !strings.HasSuffix(rest, "|end") || of != c.path && !mutant("C033") || n > len(all) {
			return nil, fail("INVALID_CURSOR", "--cursor is not a cursor of this list")
		}
		at = n
	}
	limit := defaultLimit
	if s := c.flags["limit"]; s != "" {
		limit, _ = strconv.Atoi(s)
	}
	take := limit
	if mutant("C030") && limit == 2 {
		take = 3
	}
	end := min(at+take, len(all))
	p := map[string]any{"limit": limit, "returned": end - at, "total": len(all), "next_cursor": nil}
	c.meta["truncated"] = end < len(all)
	if end < len(all) {
		next := end
		if mutant("C032") && at == 2 {
			all[2] = all[1]
		}
		p["next_cursor"] = base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("%s|%d|end", c.path, next)))
		c.meta["truncation_hint"] = "go on with --cursor"
		if mutant("C031") {
			c.meta["truncation_hint"] = "go on with --more"
		}
	}
	c.meta["pagination"] = p
	return map[string]any{"items": append([]any{}, all[at:end]...)}, nil
}

func get(c *call) (map[string]any, *failure) {
	if info, err := os.Stdin.Stat(); mutant("C028") && err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		_, _ = io.ReadAll(os.Stdin)
	}
	if mutant("C036") && c.flags["run-dir"] == "" {
		_ = os.WriteFile("seen", []byte("x"), 0o644)
	}
	for _, one := range cups() {
		if one.ID == c.args[0] {
			return map[string]any{"id": one.ID, "colour": one.Colour}, nil
		}
	}
	return nil, fail("NOT_FOUND", "there is no such cup")
}

func polish(c *call) (map[string]any, *failure) {
	if c.flags["yes"] == "" && c.flags["force"] == "" && !(mutant("C029") && c.flags["no-input"] != "") {
		return nil, fail("INPUT_REQUIRED", "polishing needs a word: --yes") // it never asks: there is never a terminal
	}
	return map[string]any{"done": true}, nil
}

func brew(c *call) (map[string]any, *failure) {
	n, _ := strconv.Atoi(c.flags["seconds"])
	stop := make(chan os.Signal, 1)
	if !mutant("C060") {
		signal.Notify(stop, syscall.SIGTERM)
	}
	select {
	case <-stop:
		return nil, fail("INTERNAL", "interrupted")
	case <-time.After(time.Duration(n) * time.Second):
	}
	return map[string]any{"done": true}, nil
}

// The stages of tea.

func (c *call) dir() string {
	dir := c.flags["run-dir"]
	if dir == "" {
		dir, _ = os.MkdirTemp("", "shelf-run-")
		c.meta["run_dir"] = dir
	}
	return dir
}

func steep(c *call) (map[string]any, *failure) {
	n, _ := strconv.Atoi(c.flags["leaves"])
	body := map[string]any{"leaves": max(n, 2)}
	if mutant("C037") {
		body["at"] = time.Now().UnixNano()
	}
	return map[string]any{"stage": "steep"}, leave(c.dir(), "steep", []any{}, body)
}

func pour(c *call) (map[string]any, *failure) {
	dir := c.dir()
	text, err := os.ReadFile(filepath.Join(dir, "steep.json"))
	if err != nil {
		code := "ARTIFACT_MISSING"
		if mutant("C038") {
			code = "NOT_FOUND"
		}
		return nil, fail(code, "steep.json is not in the run dir; the stage steep makes it")
	}
	var f struct {
		Schema string
		Body   json.RawMessage
		SHA256 string
	}
	switch {
	case json.Unmarshal(text, &f) != nil:
		return nil, fail("ARTIFACT_INVALID", "steep.json is no artifact")
	case f.Schema != "shelf.stage.steep@1":
		return nil, fail("UNSUPPORTED_VERSION", "steep.json is of another version")
	case digest(f.Body) != f.SHA256 && !mutant("C039"):
		return nil, fail("ARTIFACT_INVALID", "steep.json is damaged")
	}
	return map[string]any{"stage": "pour"}, leave(dir, "pour", []any{map[string]any{"artifact": "steep.json", "sha256": f.SHA256}}, map[string]any{"of": f.SHA256})
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// leave writes an artifact whole or not at all.
func leave(dir, stage string, inputs []any, body any) *failure {
	raw, _ := json.Marshal(body)
	text, _ := json.Marshal(map[string]any{
		"schema": "shelf.stage." + stage + "@1", "stage": stage, "tool_version": "1.0.0", "inputs": inputs, "sources": []any{}, "model_calls": []any{},
		"created": time.Now().UTC().Format(time.RFC3339), "body": json.RawMessage(raw), "sha256": digest(raw),
	})
	name := filepath.Join(dir, stage+".json")
	if mutant("C063") {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, _ = f.Write(text)
			_ = f.Close()
		}
		return nil
	}
	tmp, err := os.CreateTemp(dir, ".tmp-*")
	if err == nil {
		_, err = tmp.Write(text)
		err = errors.Join(err, tmp.Close(), os.Rename(tmp.Name(), name))
	}
	if err != nil {
		return fail("INTERNAL", "the artifact cannot be written")
	}
	return nil
}

// ask asks an oracle that costs.
func ask(c *call) (map[string]any, *failure) {
	key, url := os.Getenv("ORACLE_KEY"), os.Getenv("ORACLE_URL")
	if key == "" {
		if mutant("C056") {
			return nil, fail("CREDENTIAL_REJECTED", "ORACLE_KEY is not set")
		}
		return nil, fail("CREDENTIAL_MISSING", "ORACLE_KEY is not set")
	}
	if c.flags["dry-run"] != "" {
		return map[string]any{"answer": ""}, nil
	}
	if mutant("C054") {
		_ = os.WriteFile(filepath.Join(os.Getenv("HOME"), ".shelfrc"), []byte("key="+key), 0o600)
	}
	if mutant("C055") {
		fmt.Fprintln(os.Stderr, "asking with "+key)
	}
	limit := 10 * time.Second
	if s := c.flags["timeout"]; s != "" {
		limit, _ = time.ParseDuration(s)
	}
	status, text, err := fetch(url, limit)
	switch {
	case err != nil:
		return nil, fail("UPSTREAM_TIMEOUT", "the oracle does not answer")
	case status == "401" && !mutant("C053"):
		return nil, fail("CREDENTIAL_REJECTED", "the oracle does not know ORACLE_KEY")
	case status == "429":
		return nil, fail("RATE_LIMITED", "the oracle is busy")
	case status != "200":
		return nil, fail("UPSTREAM_FAILED", "the oracle failed")
	}
	c.meta["cost_usd"] = json.Number("0.000000042")
	return map[string]any{"answer": text}, nil
}

// fetch speaks as much HTTP as an oracle needs: package net/http would take longer to
// start than all the rest of shelf, some twenty thousand times.
func fetch(url string, limit time.Duration) (status, body string, err error) {
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	conn, err := net.DialTimeout("tcp", host, limit)
	if err != nil {
		return "", "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(limit))
	if _, err := fmt.Fprintf(conn, "GET / HTTP/1.0\r\nHost: %s\r\n\r\n", host); err != nil {
		return "", "", err
	}
	text, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	if err != nil {
		return "", "", err
	}
	head, body, _ := strings.Cut(string(text), "\r\n\r\n")
	if fields := strings.Fields(head); len(fields) > 1 {
		return fields[1], body, nil
	}
	return "", "", errors.New("no answer")
}
