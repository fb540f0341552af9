package arb

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
)

// Minutes of SUPPRESS: those given, those of τ-ARGUS where none are.
func TestMinutes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][2]time.Duration{
		"1":     {10 * time.Minute, time.Minute},
		"1,":    {10 * time.Minute, time.Minute},
		"1,2":   {2 * time.Minute, 2 * time.Minute},
		"1,0.5": {30 * time.Second, 30 * time.Second},
		"1,0":   {0, time.Minute}, // none, and no search of sub-tables without one
		"1,1e9": {0, time.Minute},
	} {
		r := &request{}
		for k, c := range []struct{ missing, none time.Duration }{{exactTime, 0}, {time.Minute, time.Minute}} {
			if err := r.minutes(strings.Split(args, ","), c.missing, c.none); err != nil || r.limit != want[k] {
				t.Errorf("%s: %v, %v, want %v", args, r.limit, err, want[k])
			}
		}
	}
}

// Where the time is over at once the pattern is protected all the same, and the log tells what was not looked at, cell by
// cell.
func TestNothingLookedAt(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "run.log")
	must.Get(batchOf(t, "<OPENMICRODATA> \"firms.csv\"\n<OPENMETADATA> \"firms.rda\"\n<SPECIFYTABLE> \"Ind\"\"Reg\"|\"Turn\"||\n<SAFETYRULE> FREQ(3,30)\n<READMICRODATA>\n"+
		"<SUPPRESS> MOD(1,0.0000000001,1,1,1)\n<WRITETABLE> (1,3,AS+,\"out1.txt\")\n", &Options{Log: log}))(t)
	text := must.Get(os.ReadFile(log))(t)
	for _, want := range []string{"; the time did not do to look at 4 of 4 unsafe cells\n", " : Not looked at: C/x\n", " : Audit: protected\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// What only contributors still learn the log names.
func TestUnguardedNamed(t *testing.T) {
	t.Parallel()
	dir := copied(t, "simple2d")
	log := filepath.Join(dir, "run.log")
	must.Do(t, os.WriteFile(filepath.Join(dir, "run.arb"), []byte("<OPENMICRODATA> \"tau_testW.asc\"\n<OPENMETADATA> \"Tau_testW.rda\"\n<SPECIFYTABLE> \"Size\"\"Region\"|\"Var2\"||\n<SAFETYRULE> P(15,1)|MAN(20)\n<READMICRODATA>\n<SUPPRESS> MOD(1,1,1,1,1)\n"), 0o666))
	must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{Log: log}))
	text := must.Get(os.ReadFile(log))(t)
	if n := strings.Count(string(text), " : Not guarded: "); n != 1 || !strings.Contains(string(text), "compute 1 unsafe cells of others exactly, and 0 more closely than their levels allow\n") {
		t.Errorf("%d cells named in %s", n, text)
	}
}

// A table whose exact search takes hours has a pattern soon where no search had one in its time: the first there is.
func TestFirstPatternEnough(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 8))
	var records strings.Builder
	for a := range 8 {
		for b := range 8 {
			for c := range 8 {
				n := 3
				if rng.IntN(50) == 0 {
					n = 1
				}
				for range n {
					fmt.Fprintf(&records, "%d;%d;%d;%d\n", a, b, c, 1+rng.IntN(1000))
				}
			}
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.csv": records.String(), "m.rda": "<SEPARATOR> \";\"\nA 1\n<RECODEABLE>\nB 1\n<RECODEABLE>\nC 1\n<RECODEABLE>\nV 4\n<NUMERIC>\n",
		"b.arb": "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"A\"\"B\"\"C\"|\"V\"||\n<SAFETYRULE> FREQ(2,20)\n<READMICRODATA>\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	b := &batch{opt: &Options{}, file: filepath.Join(dir, "b.arb")}
	f := must.Get(os.Open(b.file))(t)
	defer f.Close()
	commands := must.Get(parse(f, b.file, ""))(t)
	for _, c := range commands {
		must.Get(b.do(t.Context(), c))(t)
	}
	r := &request{policy: protect.Policy{Method: "exact", LevelsAsGiven: true, TimeLimit: 1}, soon: 1}
	res, err := b.search(t.Context(), []protect.Input{{Table: b.jobs[0].t}}, r)
	if err != nil || res.Patterns == nil || res.Verdict != interval.Protected || r.policy.TimeLimit != 1 {
		t.Errorf("%v, with time limit %q: %v", res.Verdict, r.policy.TimeLimit, err)
	}
	if res.Solution == nil || res.Solution.Status == solver.Optimal {
		t.Error("the search went on to an end")
	}
}
