package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/typed"
)

// maxOrder bounds a request file, in bytes. The images of a request are in it.
const maxOrder = 64 << 20

// orderErrors are the codes of readOrder.
var orderErrors = []Code{NotFound, DecodeFailed, ValidationFailed}

// readOrder reads the request file that an argument names; "-" is stdin.
func readOrder(ctx context.Context, inv *Invocation, name string) (operations.Order, error) {
	data, err := readBounded(ctx, inv, name)
	if err != nil {
		return operations.Order{}, err
	}
	o, err := operations.DecodeOrder(data)
	var mistakes typed.Errors
	var refusal *operations.Refusal
	switch {
	case errors.As(err, &mistakes):
		return o, orderMistakes(name, mistakes)
	case errors.As(err, &refusal):
		e := NotIn(ValidationFailed, "operation", refusal.Got, refusal.Allowed).Where(At{File: name}).Saying("opcat operation list")
		return o, e
	}
	return o, err
}

func readBounded(ctx context.Context, inv *Invocation, name string) ([]byte, error) {
	from := inv.streams.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, Fail(NotFound, "the request file %s can't be opened: %s", visible(filepath.Base(name)), reasonOf(err)).given(name).Where(At{File: name})
		}
		defer file.Close()
		from = file
	}
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() { // a pipe that stays silent can't be interrupted
		data, err := io.ReadAll(io.LimitReader(from, maxOrder+1))
		done <- read{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		switch {
		case r.err != nil:
			return nil, Fail(NotFound, "the request file %s can't be read: %s", visible(filepath.Base(name)), reasonOf(r.err)).Where(At{File: name})
		case len(r.data) > maxOrder:
			return nil, Fail(ValidationFailed, "the request file has more than %d bytes", maxOrder).Where(At{File: name})
		}
		return r.data, nil
	}
}

// reasonOf is what the operating system says, without the path.
func reasonOf(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// orderMistakes are the mistakes of one file, each with its JSON pointer.
func orderMistakes(name string, mistakes typed.Errors) *Error {
	e := Fail(DecodeFailed, "the request file has %d mistakes", len(mistakes)).Where(At{File: name}).Saying("opcat operation get OPERATION")
	if len(mistakes) == 1 {
		e.Message = "the request file: " + mistakes[0].Error()
		e.Allowed = mistakes[0].Allowed
	}
	for i, m := range mistakes {
		if i == maxListed {
			e.More = len(mistakes) - i
			break
		}
		c := Fail(DecodeFailed, "%s", m.Error()).Where(At{File: name, Item: m.Pointer})
		c.Allowed, c.Hint = m.Allowed, m.Help
		e.Causes = append(e.Causes, c)
	}
	return e
}

// orderFault is a request or terms that are wrong by themselves.
func orderFault(name string, err error) error {
	return Fail(ValidationFailed, "the request is wrong by itself: %v", err).Where(At{File: name})
}
