// A decision-only route is used as a chat driver.
package main

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/textgen"
)

func chat(operations.Admitted[textgen.Request]) {}

func main() {
	a, _ := operations.Admit(nil, "typesafe/jev-1.14.0", decision.Request{}, operations.Terms{})
	chat(a) // want: cannot use a (variable of struct type operations.Admitted[decision.Request]) as operations.Admitted[textgen.Request] value
}
