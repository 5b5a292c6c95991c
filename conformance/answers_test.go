package conformance

import (
	"strings"
	"testing"
)

const describeDoc = `{"tool":"shop","contract_version":0,
 "commands":[{"name":"cup list","result_schema":"shop.cups@1","errors":["NOT_FOUND"],"bounded":{}},
             {"name":"cup get","result_schema":"shop.cup@1","errors":["NOT_FOUND"]}],
 "error_codes":[{"code":"NOT_FOUND","exit":3,"retryable":false},{"code":"BUSY_NOW","exit":4,"retryable":true},{"code":"LIAR_CODE","exit":3,"retryable":true}],
 "schemas":{"shop.cups@1":{"type":"object","required":["items"],"properties":{"items":{"type":"array"}}},
            "shop.cup@1":{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}}}`

const outcome = `"outcome":{"unit":"count","projected":null,"realized":null,"cost_usd":0,"confidence":null}`

const get = `{"ok":true,"contract_version":0,"tool":"shop","command":"cup get","data":{"id":"a"},"error":null,` +
	`"meta":{"schema":"shop.cup@1","duration_ms":0,"cost_usd":0,` + outcome + `}}` + "\n"

const list = `{"ok":true,"contract_version":0,"tool":"shop","command":"cup list","data":{"items":[]},"error":null,` +
	`"meta":{"schema":"shop.cups@1","duration_ms":0,"cost_usd":0,"pagination":{"limit":50,"returned":0,"total":0,"next_cursor":null},"truncated":false,` + outcome + `}}` + "\n"

const failure = `{"ok":false,"contract_version":0,"tool":"shop","command":"cup get","error":{"code":"NOT_FOUND","message":"no cup","retryable":false},` +
	`"meta":{"schema":"shop.cup@1","duration_ms":0,"cost_usd":0,` + outcome + `}}` + "\n"

// Each way to break the contract is noticed, and a whole answer passes.
func TestAnswers(t *testing.T) {
	c, err := NewAnswers([]byte(describeDoc))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, stdout string
		exit         int
		old, with    string // one replacement in stdout
		argv         string
		wrong        string // part of the complaint; "" for none
	}{
		{name: "get", stdout: get},
		{name: "list", stdout: list},
		{name: "failure", stdout: failure, exit: 3},
		{name: "fields", stdout: get, old: `{"id":"a"}`, with: `{}`, argv: "cup get --json --fields id"},
		{name: "no json", stdout: "anything", argv: "cup get"},
		{name: "exit", exit: 6, argv: "cup get", wrong: "exit 6"},

		{name: "no newline", stdout: strings.TrimSpace(get), wrong: "C012"},
		{name: "pretty", stdout: get, old: `,"data"`, with: ",\n\"data\"", wrong: "C017"},
		{name: "two objects", stdout: get, old: "\n", with: "{}\n", wrong: "C012"},
		{name: "no object", stdout: "panic: no\n", wrong: "C012"},
		{name: "key twice", stdout: get, old: `"ok":true`, with: `"ok":true,"ok":true`, wrong: "C017"},
		{name: "not UTF-8", stdout: get, old: `"a"`, with: "\"\xff\"", wrong: "C017"},
		{name: "data on failure", stdout: failure, exit: 3, old: `"error"`, with: `"data":{},"error"`, wrong: "C013"},
		{name: "no data", stdout: get, old: `"data":{"id":"a"},`, wrong: "schema"},
		{name: "no outcome", stdout: get, old: `,` + outcome, wrong: "C016"},
		{name: "unit", stdout: get, old: `"count"`, with: `"cups"`, wrong: "C016"},
		{name: "hint unsaid", stdout: list, old: `"truncated":false`, with: `"truncated":true`, wrong: "C016"},
		{name: "other tool", stdout: get, old: `"shop"`, with: `"mart"`, wrong: "C014"},
		{name: "ok with exit", stdout: get, exit: 1, wrong: "C022"},
		{name: "unknown schema", stdout: get, old: "cup@1", with: "cup@2", wrong: "C015"},
		{name: "other schema", stdout: get, old: `shop.cup@1`, with: `shop.cups@1`, wrong: "C015"},
		{name: "unknown command", stdout: get, old: `"command":"cup get"`, with: `"command":"cup sell"`, wrong: "C014"},
		{name: "wrong data", stdout: get, old: `"a"`, with: `1`, wrong: "C015"},
		{name: "undeclared field", stdout: get, old: `"a"`, with: `"a","x":1`, wrong: "C015"},
		{name: "list without page", stdout: list, old: `"pagination":{"limit":50,"returned":0,"total":0,"next_cursor":null},`, wrong: "C031"},
		{name: "too big", stdout: list, old: `[]`, with: `["` + strings.Repeat("x", maxEnvelope) + `"]`, wrong: "C061"},
		{name: "wrong exit", stdout: failure, exit: 2, wrong: "C022"},
		{name: "unregistered code", stdout: failure, exit: 3, old: "NOT_FOUND", with: "NOT_THERE", wrong: "C024"},
		{name: "undeclared code", stdout: failure, exit: 4, old: `NOT_FOUND","message":"no cup","retryable":false`,
			with: `BUSY_NOW","message":"no cup","retryable":true`, wrong: "C024"},
		{name: "retryable", stdout: failure, exit: 3, old: "false}", with: "true}", wrong: "C023"},
		{name: "retryable code", stdout: failure, exit: 3, old: `NOT_FOUND","message":"no cup","retryable":false`,
			with: `LIAR_CODE","message":"no cup","retryable":true`, wrong: "C023"},
		{name: "long message", stdout: failure, exit: 3, old: "no cup", with: strings.Repeat("é", 300), wrong: "C025"},
	} {
		if tc.old != "" && !strings.Contains(tc.stdout, tc.old) {
			t.Fatalf("%s: %q is not in the answer", tc.name, tc.old)
		}
		stdout := tc.stdout
		if tc.old != "" {
			stdout = strings.Replace(tc.stdout, tc.old, tc.with, 1)
		}
		argv := []string{"cup", "get", "--json"}
		if strings.Contains(tc.stdout, "cup list") {
			argv[1] = "list"
		}
		if tc.argv != "" {
			argv = strings.Fields(tc.argv)
		}
		err := c.Check(argv, tc.exit, []byte(stdout))
		if (err == nil) != (tc.wrong == "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.wrong)
		}
	}
}
