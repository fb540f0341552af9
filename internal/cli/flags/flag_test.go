package flags

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/test/must"
)

// verb is a command with flags of every sort.
func verb(run func()) *cobra.Command {
	cmd := &cobra.Command{Use: "hitoku", SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs}
	sub := &cobra.Command{Use: "verb", Args: cobra.ArbitraryArgs, SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { run(); return nil }}
	Declare(sub,
		In(OutputGroup, []Flag{
			{Name: "output", Short: "o", To: new(string), Files: []string{"csv", "csv.gz"}, Only: true, Writes: true, Text: "write to this `file`"},
			{Name: "uniform", To: new(bool), Needs: []string{"output"}, Text: "mark cells alike"},
			{Name: "proof", To: new(string), Inputs: 1},
		}),
		In(InputGroup, []Flag{
			{Name: "n", To: new(int), Default: 3, Range: "[2, ∞)", Wanted: true, Unless: []string{"k"}, Excludes: []string{"k"}, Text: "`number` of records"},
			{Name: "k", To: new(float64), Why: "k is what n gives", Text: "target"},
			{Name: "linked", To: new(bool), Inputs: 2},
			{Name: "kind", To: new(string), Default: "some", From: []string{"some", "all"}, Text: "what is read"},
			{Name: "of", To: new([]string), Text: "which", From: []string{"a", "b"}, Needs: []string{"kind=all"}, Why: "some tell it"},
			{Name: "limit", To: new(time.Duration), Range: "[0, ∞)", Else: "none", Text: "stop then"},
			{Name: "page", To: new(bool), Beside: []string{"n", "output"}},
			{Name: "old", To: new(int), Hidden: true},
		}),
	)
	cmd.AddCommand(sub)
	GroupHelp(cmd)
	return cmd
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-n=2":                            "unknown shorthand",
		"--n 2":                           "",
		"":                                "verb: want --n or --k",
		"--k 1":                           "",
		"--n 1":                           "--n 1: want 2 or more",
		"--n 2 --k 1":                     "--n and --k do not go together",
		"--n 2 --uniform":                 "--uniform needs -o",
		"--n 2 --uniform=false":           "",
		"--n 2 --uniform -o x.csv.gz":     "",
		"--n 2 -o x.jj":                   "-o x.jj: want a name that ends in .csv or .csv.gz",
		"--n 2 --proof p a b":             "--proof takes one input, not 2",
		"--n 2 --linked a":                "--linked takes two inputs or more",
		"--n 2 --kind none":               "want some, all",
		"--n 2 --of a":                    "--of needs --kind all: some tell it",
		"--n 2 --of a --kind all":         "",
		"--n 2 --of c --kind all":         `--of "c": want a, b`,
		"--n 2 --limit -1s":               "--limit -1s: want 0 or more",
		"--n 2 --limit 1s":                "",
		"--n 2 --page --kind all":         "--kind does not go with --page",
		"--n 2 --page -o x.csv":           "",
		"--n 2 --old 5 --kind all --of b": "",
	} {
		ran := false
		cmd := verb(func() { ran = true })
		cmd.SetArgs(append([]string{"verb"}, strings.Fields(args)...))
		err := cmd.Execute()
		switch {
		case want == "" && (err != nil || !ran):
			t.Errorf("%s: %v, ran: %t", args, err, ran)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || ran):
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestGroupedHelp(t *testing.T) {
	t.Parallel()
	cmd := verb(func() {})
	var b strings.Builder
	cmd.SetOut(&b)
	cmd.SetArgs([]string{"verb", "--help"})
	must.Do(t, cmd.Execute())
	_, got, _ := strings.Cut(b.String(), "[flags]\n\n")
	want := `Input:
      --n number        number of records (default: 3)
      --k float         target
      --linked          
      --kind some|all   what is read (default: some)
      --of stringArray  with --kind all: which; repeatable
      --limit duration  stop then (default: none)
      --page            

Output:
  -o, --output file   write to this file
      --uniform       with -o: mark cells alike
      --proof string

Other:
  -h, --help          help for verb
`
	if fields, wanted := strings.Fields(got), strings.Fields(want); strings.Join(fields, " ") != strings.Join(wanted, " ") {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestFieldsOnce makes the flags of a policy once, however many groups of them a command declares, and anew for a copy.
func TestFieldsOnce(t *testing.T) {
	var a Rules
	strict := Fields{"strict"}
	if a.Flags(Levels)[3].To != &a.Policy.Strict {
		t.Error("the flags of a policy set another one")
	}
	b := a
	if b.Flags(strict)[0].To != &b.Policy.Strict || a.Flags(strict)[0].To != &a.Policy.Strict {
		t.Error("the flags of a policy set another one")
	}
	if n := testing.AllocsPerRun(10, func() { a.Flags(strict) }); n > 4 {
		t.Errorf("%.0f pieces of memory for one flag of a policy whose flags are made", n)
	}
}
