package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Profile says of a tool what its describe document cannot. Without one, the
// checks that need it are skipped, and each says which key would enable it. The
// zero Profile says nothing.
//
// Arguments are the words after the command's path. In them, {plan} is the file
// that a plan is written to and read from, {approval} the profile's approval file;
// in the environment, {url} is the address of the upstream that fails on demand.
type Profile struct {
	Fixture    string               `toml:"fixture"`  // a folder that is copied into the working directory of runs with arguments
	Env        map[string]string    `toml:"env"`      // set for every run
	Spec       string               `toml:"spec"`     // the tool's spec.yaml
	Skill      string               `toml:"skill"`    // the tool's SKILL.md
	Commands   map[string]Arguments `toml:"command"`  // by path: arguments that work
	Prompt     *Try                 `toml:"prompt"`   // a command that asks where it can
	Slow       *Try                 `toml:"slow"`     // a command that takes a second or more
	Upstream   *Upstream            `toml:"upstream"` // a command that calls an upstream
	Pipelines  map[string]Arguments `toml:"pipeline"` // by name: arguments of the first stage
	Mutations  []Mutation           `toml:"mutation"`
	Credential *Credential          `toml:"credential"` // a command that needs a credential
}

// Arguments are words that follow a command's path.
type Arguments struct {
	Args []string `toml:"args"`
}

// A Try is one call.
type Try struct {
	Command string            `toml:"command"`
	Args    []string          `toml:"args"`
	Env     map[string]string `toml:"env"`
}

// An Upstream is a call that asks the server at {url}.
type Upstream struct {
	Try
	HangArgs []string          `toml:"hang_args"` // in place of args, where it must give up after a while
	Answer   string            `toml:"answer"`    // the body of an answer that is taken; "" for none
	Headers  map[string]string `toml:"headers"`   // of it
}

// A Credential is a call that needs a variable.
type Credential struct {
	Try
	Variable string `toml:"variable"`
}

// A Mutation is a resource whose plans may be applied in a copy of the fixture.
type Mutation struct {
	Resource string            `toml:"resource"`
	Plan     []string          `toml:"plan"`     // a plan of at least two items that policy lets pass
	Gated    []string          `toml:"gated"`    // a plan that needs an approval
	Apply    []string          `toml:"apply"`    // besides --plan
	Approval string            `toml:"approval"` // an approval, of another plan
	Moved    string            `toml:"moved"`    // a file of the fixture that makes the plan stale
	Kill     map[string]string `toml:"kill"`     // environment that ends apply between an effect and its confirmation
	Fail     map[string]string `toml:"fail"`     // environment under which one item of several fails
	Block    string            `toml:"block"`    // or a path that one of several items needs: a folder stands there
	Forge    []Forge           `toml:"forge"`    // how to change the plan so that it stays well formed; else the first text of params
	Effects  string            `toml:"effects"`  // a file that gets one line for each effect
}

// A Forge sets one value of a plan.
type Forge struct {
	At    string `toml:"at"` // a JSON pointer: /items/0/params/text
	Value string `toml:"value"`
}

// maxProfile bounds a profile's file.
const maxProfile = 1 << 20

// ReadProfile reads a profile of TOML. Paths in it are relative to its folder.
func ReadProfile(name string) (*Profile, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxProfile {
		return nil, fmt.Errorf("the profile has %d bytes; at most %d are read", info.Size(), maxProfile)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p, err := DecodeProfile(text)
	if err != nil {
		return nil, err
	}
	base := filepath.Dir(name)
	paths := []*string{&p.Fixture, &p.Spec, &p.Skill}
	for i := range p.Mutations {
		paths = append(paths, &p.Mutations[i].Approval)
	}
	for _, path := range paths {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(base, *path)
		}
	}
	return p, nil
}

// DecodeProfile reads a profile; a key that it does not have is an error.
func DecodeProfile(text []byte) (*Profile, error) {
	p := new(Profile)
	md, err := toml.Decode(string(text), p)
	if err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return nil, fmt.Errorf("line %d: %s", parse.Position.Line, parse.Message)
		}
		return nil, err
	}
	if extra := md.Undecoded(); len(extra) > 0 {
		var names []string
		for _, key := range extra {
			names = append(names, key.String())
		}
		slices.Sort(names)
		return nil, fmt.Errorf("not keys of a profile: %s", strings.Join(names[:min(len(names), 10)], ", "))
	}
	return p, nil
}
