package seam

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer makes an envelope of shop.
func answer(command, rest, meta string) []byte {
	return []byte(`{"ok":` + rest + `,"contract_version":0,"tool":"shop","command":"` + command + `","meta":{"schema":"shop.any@1","duration_ms":1,` + meta + `}}` + "\n")
}

const (
	done  = `true,"data":{},"error":null`
	free  = `"cost_usd":0,"llm_tokens":0`
	price = `"cost_usd":0.1,"llm_tokens":7`
)

func failed(code string, retryable string) string {
	return `false,"error":{"code":"` + code + `","message":"no","retryable":` + retryable + `,"hint":"try"}`
}

// The vectors are the whole of what the mapping says: success, each exit, a partial
// apply, and a process that left nothing.
func TestMap(t *testing.T) {
	for _, tc := range []struct {
		name string
		runs []Run
		want string
	}{
		{"nothing ran", nil, `{"ok":true,"errors":[],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"success", []Run{{answer("cup get", done, price+`,"run_dir":"/tmp/a"`), 0}},
			`{"ok":true,"errors":[],"cost_usd":0.1,"llm_tokens_used":7,"artifacts":[{"tool":"shop","command":"cup get","run_dir":"/tmp/a"}],"next":[]}`},
		{"costs add as decimals", []Run{{answer("cup get", done, price), 0}, {answer("cup get", done, `"cost_usd":0.2,"cost_uncertain_usd":0.000000001,"llm_tokens":1`), 0}},
			`{"ok":true,"errors":[],"cost_usd":0.3,"cost_uncertain_usd":0.000000001,"llm_tokens_used":8,"artifacts":[],"next":[]}`},
		{"an exponent is a number too", []Run{{answer("cup get", done, `"cost_usd":1.5e-07,"llm_tokens":0`), 0}},
			`{"ok":true,"errors":[],"cost_usd":0.00000015,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"unknown tokens", []Run{{answer("cup get", done, price), 0}, {answer("cup get", done, `"cost_usd":1`), 0}},
			`{"ok":true,"errors":[],"cost_usd":1.1,"artifacts":[],"next":[]}`},
		{"exit 1", []Run{{answer("cup get", failed("INTERNAL", "false"), free), 1}},
			`{"ok":false,"errors":[{"code":"INTERNAL","message":"no","retryable":false,"hint":"try"}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"exit 2", []Run{{answer("cup get", failed("UNKNOWN_FLAG", "false"), free), 2}},
			`{"ok":false,"errors":[{"code":"UNKNOWN_FLAG","message":"no","retryable":false,"hint":"try"}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"exit 3", []Run{{answer("cup get", failed("NOT_FOUND", "false"), free), 3}},
			`{"ok":false,"errors":[{"code":"NOT_FOUND","message":"no","retryable":false,"hint":"try"}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"exit 4", []Run{{answer("cup get", failed("RATE_LIMITED", "true"), price), 4}},
			`{"ok":false,"errors":[{"code":"RATE_LIMITED","message":"no","retryable":true,"hint":"try"}],"cost_usd":0.1,"llm_tokens_used":7,"artifacts":[],"next":[{"action":"retry","tool":"shop","command":"cup get","code":"RATE_LIMITED"}]}`},
		{"exit 5", []Run{{answer("cup apply", failed("APPROVAL_REQUIRED", "false"), free), 5}},
			`{"ok":false,"errors":[{"code":"APPROVAL_REQUIRED","message":"no","retryable":false,"hint":"try"}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[{"action":"approve","tool":"shop","command":"cup apply","code":"APPROVAL_REQUIRED"}]}`},
		{"partial apply", []Run{{answer("cup apply", `true,"data":{"status":"partial"},"error":null`, free), 0}},
			`{"ok":false,"errors":[],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[{"action":"resume","tool":"shop","command":"cup apply","code":"PARTIAL_APPLY"}]}`},
		{"partial apply, strict", []Run{{answer("cup apply", failed("PARTIAL_APPLY", "true"), free), 4}},
			`{"ok":false,"errors":[{"code":"PARTIAL_APPLY","message":"no","retryable":true,"hint":"try"}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[{"action":"resume","tool":"shop","command":"cup apply","code":"PARTIAL_APPLY"}]}`},
		{"killed", []Run{{answer("cup get", done, price), 0}, {nil, -1}},
			`{"ok":false,"errors":[{"code":"INTERNAL","message":"the tool ended with exit -1 and left no envelope: stdout is empty","retryable":false}],"artifacts":[],"next":[]}`},
		{"ok and an exit", []Run{{answer("cup get", done, free), 1}},
			`{"ok":false,"errors":[{"code":"INTERNAL","message":"'shop cup get' said ok and ended with exit 1","retryable":false}],"cost_usd":0,"llm_tokens_used":0,"artifacts":[],"next":[]}`},
		{"a cost that is none", []Run{{answer("cup get", done, `"cost_usd":1e999999999,"llm_tokens":1.5`), 0}},
			`{"ok":true,"errors":[],"artifacts":[],"next":[]}`},
	} {
		got, err := json.Marshal(Map(tc.runs))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// What a gate refused is never to be tried again, whatever the envelope says of it.
func TestPolicyIsNeverRetried(t *testing.T) {
	for _, code := range []string{"APPROVAL_REQUIRED", "PARTIAL_APPLY", "RATE_LIMITED"} {
		for _, n := range Map([]Run{{answer("cup apply", failed(code, "true"), free), 5}}).Next {
			if n.Action != Approve {
				t.Errorf("%s: %s", code, n.Action)
			}
		}
	}
}

// Whatever a tool prints, there is a result that can be printed, and a failure is
// not mapped to success.
func FuzzMap(f *testing.F) {
	f.Add(answer("cup get", done, price), 0)
	f.Add(answer("cup apply", failed("RATE_LIMITED", "true"), free), 4)
	f.Add([]byte(`{"ok":true,"meta":{"cost_usd":1e99}}`), 5)
	f.Add([]byte(strings.Repeat("[", 20000)), 0)
	f.Fuzz(func(t *testing.T, text []byte, exit int) {
		j := Map([]Run{{text, exit}})
		if j.OK && exit != 0 {
			t.Errorf("exit %d is ok", exit)
		}
		if !j.OK && len(j.Errors) == 0 && len(j.Next) == 0 {
			t.Error("it failed and nothing says why")
		}
		if _, err := json.Marshal(j); err != nil {
			t.Error(err)
		}
	})
}
