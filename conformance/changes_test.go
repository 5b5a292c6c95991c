package conformance

import (
	"slices"
	"strings"
	"testing"
)

const released = `{"contract_version":0,"tool":"shelf","universal_flags":[{"name":"--json","type":"bool","required":false}],
"commands":[{"name":"cup list","verb":"list","tier":1,"rw":"read","cost":"free","args":[{"name":"of","required":false}],
"flags":[{"name":"--colour","type":"enum","enum":["red","blue"],"required":false},{"name":"--since","type":"string","required":false}],
"result_schema":"shelf.cups@1","bounded":{"default_limit":50,"max_limit":100}}],
"error_codes":[{"code":"NOT_FOUND","exit":3}],
"schemas":{"shelf.cups@1":{"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"type":"object",
"required":["id"],"properties":{"id":{"type":"string"},"weights":{"type":"object","additionalProperties":{"type":"integer"}}}}}}}}}`

// A caller of the release before must be told of each thing that would break it, and
// of nothing else.
func TestChanges(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", "", "", ""},
		{"a command renamed", `"name":"cup list"`, `"name":"cups list"`, "cup list: the command is gone"},
		{"a read that spends", `"cost":"free"`, `"cost":"metered"`, "cup list: it was read and free and is read and metered"},
		{"a flag removed", `,{"name":"--since","type":"string","required":false}`, ``, "cup list --since: the flag is gone"},
		{"a flag of another type", `"--since","type":"string"`, `"--since","type":"int"`, "cup list --since: it was a flag of type string and is one of type int"},
		{"a flag required", `"--since","type":"string","required":false`, `"--since","type":"string","required":true`, "cup list --since: it is required, and was not"},
		{"a value refused", `["red","blue"]`, `["red"]`, `cup list --colour: it no longer takes "blue"`},
		{"an open flag closed", `"--since","type":"string"`, `"--since","type":"string","enum":["a"]`, "cup list --since: it takes a closed set of values, and took any"},
		{"a required flag added", `"flags":[`, `"flags":[{"name":"--new","type":"int","required":true},`, "cup list --new: a new flag that is required"},
		{"a word required", `"of","required":false`, `"of","required":true`, "cup list: it needs <of>, and did not"},
		{"a word gone", `[{"name":"of","required":false}]`, `[]`, "cup list: it takes 0 words, and took 1"},
		{"more by default", `"default_limit":50`, `"default_limit":60`, "cup list: it lists 60 by default, and listed 50"},
		{"another exit code", `"exit":3`, `"exit":4`, "NOT_FOUND: its exit code was 3 and is 4"},
		{"a code gone", `{"code":"NOT_FOUND","exit":3}`, ``, "NOT_FOUND: the error code is gone"},
		{"a universal flag gone", `{"name":"--json","type":"bool","required":false}`, ``, "every command --json: the flag is gone"},
		{"a field gone", `"id":{"type":"string"},`, ``, "shelf.cups@1.items[].id: the field is gone"},
		{"a field optional", `"required":["id"]`, `"required":[]`, "shelf.cups@1.items[].id: the field may be absent, and was always there"},
		{"a field of another type", `"id":{"type":"string"}`, `"id":{"type":["string","null"]}`, "shelf.cups@1.items[].id: it may be null, and was string"},
		{"a field of no type", `"id":{"type":"string"}`, `"id":{}`, "shelf.cups@1.items[].id: its type was string, and is not said"},
		{"a map of another type", `"additionalProperties":{"type":"integer"}`, `"additionalProperties":{"type":"number"}`, "shelf.cups@1.items[].weights.*: it may be number, and was integer"},
		{"another result", `"result_schema":"shelf.cups@1"`, `"result_schema":"shelf.mugs@2"`, "cup list: its result is shelf.mugs@2, which was shelf.cups@1: a result changes by a new major of its schema"},

		{"a new major of the result", `shelf.cups@1`, `shelf.cups@2`, ""},
		{"a value more", `["red","blue"]`, `["red","blue","green"]`, ""},
		{"a flag more", `"flags":[`, `"flags":[{"name":"--new","type":"int","required":false},`, ""},
		{"fewer by default", `"default_limit":50`, `"default_limit":20`, ""},
		{"a field more", `"id":{"type":"string"}`, `"id":{"type":"string"},"size":{"type":"integer"}`, ""},
		{"a command more", `"commands":[`, `"commands":[{"name":"cup get","verb":"get","tier":1,"rw":"read","flags":[],"result_schema":"shelf.cup@1"},`, ""},
		{"a new major of the contract", `"contract_version":0,"tool":"shelf","universal_flags":[{"name":"--json","type":"bool","required":false}]`, `"contract_version":1,"tool":"shelf"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(released, c.from, c.to)
			if c.from == "" {
				text = released
			} else if text == released {
				t.Fatal("the case changes nothing")
			}
			before, err := ReadDescribe([]byte(released))
			if err != nil {
				t.Fatal(err)
			}
			after, err := ReadDescribe([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			all := Changes(before, after)
			var got []string
			for _, ch := range all {
				if ch.Breaking {
					got = append(got, ch.At+": "+ch.What)
				}
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.name != "nothing" && len(all) == 0 && !strings.Contains(c.name, "by default") && c.name != "a value more" {
				t.Error("no change is told")
			}
			if !slices.IsSortedFunc(all, func(a, b Change) int {
				if a.Breaking != b.Breaking {
					return map[bool]int{true: -1, false: 1}[a.Breaking]
				}
				return strings.Compare(a.At, b.At)
			}) {
				t.Errorf("not in order: %v", all)
			}
		})
	}
}
