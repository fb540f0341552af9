package adversary

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	cmd "github.com/hitoku/hitoku/internal/cli/tables"
)

// A reply is what the command answers.
type reply struct {
	args           []string
	code           cli.Code
	stdout, stderr string
	panic          string
}

func (r *reply) line() string { return "hitoku " + strings.Join(r.args, " ") }

// hitoku runs a verb as the command does, and returns its exit code and all that it printed.
func hitoku(args ...string) (code int, words string) {
	r := run(args...)
	return int(r.code), r.stdout + r.stderr + r.panic
}

// run runs a verb as the command does.
func run(args ...string) (r *reply) {
	r = &reply{args: args}
	defer func() {
		if p := recover(); p != nil {
			r.panic, r.code = fmt.Sprintf("%v\n%s", p, debug.Stack()), cli.Usage
		}
	}()
	root := &cobra.Command{Use: "hitoku", SilenceErrors: true, SilenceUsage: true}
	root.SetFlagErrorFunc(flags.FlagError)
	root.PersistentFlags().String(cli.ArgsFrom, "", "")
	root.PersistentFlags().Bool(cli.JSONErrors, false, "")
	verbs := map[string]func() *cobra.Command{"suppress": cmd.NewSuppress, "audit": cmd.NewAudit, "fill": cmd.NewFill, "round": cmd.NewRound, "adjust": cmd.NewAdjust,
		"cellkey": cmd.NewCellKey, "tabulate": cmd.NewTabulate, "ledger": cmd.NewLedger, "convert": cmd.NewConvert, "inspect": cmd.NewInspect, "report": cmd.NewReport}
	root.AddCommand(verbs[args[0]]()) // the others have nothing to do with it, and take their time
	flags.GuardOutputs(root)
	var out, tell bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(""))
	root.SetOut(&out)
	root.SetErr(&tell)
	if err := root.ExecuteContext(context.Background()); err != nil && !errors.As(err, &r.code) {
		cli.Say(&tell, err)
		r.code = cli.Usage
	}
	r.stdout, r.stderr = out.String(), tell.String()
	return r
}

// A number of a document: null is nil.
type number struct{ *big.Rat }

func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "null" {
		return nil
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return fmt.Errorf("%s is no number", b)
	}
	n.Rat = v
	return nil
}

func (n number) String() string { return end(n.Rat) }

// A heard is a cell of a document.
type heard struct {
	Codes                           []string
	Status                          string
	File                            string
	Value, Lower, Upper             number
	LPL, UPL, SPL                   number
	Up, Down, Published             number
	Protected, Disclosed, Sensitive bool
}

func (c *heard) UnmarshalJSON(b []byte) error {
	type plain heard
	var x struct {
		*plain
		Published json.RawMessage
	}
	x.plain = (*plain)(c)
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	if len(x.Published) > 0 && x.Published[0] != '[' { // of --partial it is an interval, which is read in the file
		return c.Published.UnmarshalJSON(x.Published)
	}
	return nil
}

// A said is what the documents of the verbs say, as far as it is judged.
type said struct {
	Status, Audit, Verdict string
	Cost, Bound            number
	Codes                  [][]string
	Withheld               []heard
	Unions                 *struct{ Verdict string }
	Partial                struct{ Told int }
	Filled                 []heard
	Nearest                bool
	Learned                *struct {
		Verdict string
		Cells   []heard
	}
	Values, Levels []heard
	Cells          json.RawMessage // of some verbs a number
	Response       string
}

func (s *said) cells() (all []heard) {
	if err := json.Unmarshal(s.Cells, &all); err != nil {
		return nil
	}
	return all
}

// documents reads what a verb with --json printed, one document a line.
func (r *reply) documents() (all []said, err error) {
	for _, line := range strings.Split(strings.TrimSpace(r.stdout), "\n") {
		if line == "" {
			continue
		}
		var s said
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, fmt.Errorf("%w: %s", err, line)
		}
		all = append(all, s)
	}
	return all, nil
}
