package turn

import (
	"errors"
	"strconv"
	"strings"
)

// ownID starts the ids of calls to which the model gave none.
const ownID = "opcat-call-"

// IDOf is the id of the i-th call of a turn: the model's, or one of ours on a wire
// where it may give none.
func IDOf(id string, i int) string {
	if id == "" {
		return ownID + strconv.Itoa(i)
	}
	return id
}

// SentID is an id as the wire has it; "" for one of ours.
func SentID(id string) string {
	if strings.HasPrefix(id, ownID) {
		return ""
	}
	return id
}

// Called is the name of the latest call that the i-th message answers, for wires
// that want it beside what the tool gave.
func (a *Ask) Called(i int) (string, error) {
	id := a.Messages[i].ToolCallID
	for k := i - 1; k >= 0; k-- {
		for _, c := range a.Messages[k].ToolCalls {
			if c.ID == id {
				return c.Name, nil
			}
		}
	}
	return "", errors.New("a tool message answers no call before it")
}
