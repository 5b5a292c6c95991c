package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// buildCobra makes cobra's tree of the commands. Cobra fills the flags and writes
// the help; which command an argv means is decided by read, which has no aliases,
// no prefixes and no suggestions. Where a command is chosen the others are left out:
// neither its flags nor its help know of them.
func (a *App) buildCobra(root *node, u *universal, chosen *Command) *cobra.Command {
	def, most := DefaultLimit, MaxLimit
	if chosen != nil {
		def, most = chosen.limits()
	}
	top := cobraNode(a.Tool, root, u, chosen)
	top.Long = a.Purpose
	addFlags(top.PersistentFlags(), u.flags(def, most))
	top.SilenceErrors, top.SilenceUsage = true, true
	top.CompletionOptions.DisableDefaultCmd = true
	top.SetHelpCommand(&cobra.Command{Hidden: true}) // the only way to have no `help` verb
	return top
}

func cobraNode(tool string, n *node, u *universal, chosen *Command) *cobra.Command {
	c := &cobra.Command{Use: n.word(), DisableSuggestions: true, DisableFlagsInUseLine: true}
	if n.path == "" {
		c.Use = tool
	}
	if n.command == nil {
		c.Short = strings.Join(n.words(), ", ")
	} else {
		describeCommand(c, tool, n.command, u)
	}
	for _, child := range n.children {
		if chosen == nil || child.leadsTo(chosen) {
			c.AddCommand(cobraNode(tool, child, u, chosen))
		}
	}
	return c
}

// describeCommand fills in what cobra shows and sets of a command.
func describeCommand(c *cobra.Command, tool string, command *Command, u *universal) {
	for _, a := range command.Args {
		word := "<" + a.Name + ">"
		if a.Optional {
			word = "[" + word + "]"
		}
		c.Use += " " + word
	}
	c.Use += " [flags]"
	c.Short = command.Short
	c.Long = command.Short + "."
	if command.Long != "" {
		c.Long += "\n\n" + command.Long
	}
	for _, a := range command.Args {
		c.Long += fmt.Sprintf("\n\n<%s>: %s", a.Name, a.Usage)
	}
	c.Long += fmt.Sprintf("\n\nPrints %s. Class %s, cost %s.", command.Result, command.rw(), command.cost())
	c.Example = "  " + strings.Join(append([]string{tool}, command.Example...), " ")
	c.RunE = func(*cobra.Command, []string) error { return nil } // cobra only fills the flags
	addFlags(c.Flags(), command.Flags)
	if command.Bounded != nil {
		addFlags(c.Flags(), []Flag{u.cursorFlag()})
	}
}

func addFlags(set *pflag.FlagSet, flags []Flag) {
	for _, f := range flags {
		usage := f.Usage
		if len(f.Enum) > 0 {
			usage += ": " + strings.Join(f.Enum, ", ")
		}
		if f.Required {
			usage += " (needed)"
		}
		v := &flagValue{flag: &f, text: f.Default}
		if f.Type == BoolType {
			v.text = "false"
		}
		pf := set.VarPF(v, f.Name, "", usage)
		if f.Type == BoolType {
			pf.NoOptDefVal = "true"
		}
	}
}

// fill sets the flags of a call that read found well formed.
func fill(top *cobra.Command, c *call) *Error {
	top.SetArgs(c.canonical())
	err := top.Execute()
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	// read lets nothing pass that cobra refuses for any other reason.
	return Fail(Internal, "the flags were not understood: %v", err)
}

// helpText is cobra's help for the longest known path of a call.
func helpText(top *cobra.Command, c *call) string {
	var b strings.Builder
	at, _, err := top.Find(strings.Fields(c.at.path))
	if err != nil {
		at = top
	}
	at.SetOut(&b)
	at.InitDefaultHelpFlag()
	if err := at.Help(); err != nil {
		return err.Error()
	}
	return b.String()
}
