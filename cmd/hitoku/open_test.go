package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hitoku/hitoku/internal/cli/desk"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/protect"
	"github.com/xuri/excelize/v2"
)

// An asker is the engine of a page, asked without one.
type asker struct {
	*testing.T
	page.Engine
}

func newDesk(t *testing.T) *asker {
	t.Helper()
	e, end := must.Two(desk.New(verb))(t)
	t.Cleanup(end)
	return &asker{t, e}
}

// upload gives files to the desk, and returns their names there.
func (d *asker) upload(paths ...string) []string {
	d.Helper()
	var ids []string
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			d.Fatal(err)
		}
		defer f.Close()
		id, err := d.Upload(filepath.Base(path), f)
		if err != nil {
			d.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// ask calls and wants an answer of a kind.
func ask[A any](d *asker, name string, body any) A {
	d.Helper()
	a, err := try[A](d, name, body)
	if err != nil {
		d.Fatalf("%s: %v", name, err)
	}
	return a
}

func try[A any](d *asker, name string, body any) (answer A, err error) {
	d.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		d.Fatal(err)
	}
	a, err := d.Call(context.Background(), name, text, func(any) {})
	if err != nil {
		return answer, err
	}
	if f, ok := a.(*page.File); ok {
		return any(f).(A), nil
	}
	if text, err = json.Marshal(a); err != nil {
		d.Fatal(err)
	}
	return answer, json.Unmarshal(text, &answer)
}

type call = map[string]any

// TestOpenAsCommand runs on the desk what the command runs, on every kind of table, and compares patterns and the files written.
func TestOpenAsCommand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  []string
		flags  map[string][]string
		policy call
	}{
		"cross-tab": {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8"}},
		"tidy":      {[]string{"../../testdata/3x3.csv"}, map[string][]string{"total": {"合計"}}, call{"cost": "count"}},
		"workbook":  {[]string{"../../testdata/prefecture.xlsx"}, nil, call{"below": 10, "width": "5"}},
		"eurostat":  {[]string{"../../testdata/enterprises.tsv"}, nil, call{"below": 4, "width": "3"}},
		"defence":   {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "defence": "simulatable"}},
		"random":    {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "defence": "random"}},
		"partial":   {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "partial": true}},
		"plain":     {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "partial": true, "ends": "plain 5"}},
		"by hand":   {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "publish": []string{`["M2","P5"]`}}},
		"jj":        {[]string{shared.Path(t, "instances/generated/2d_20_mag.jj.gz")}, nil, call{}},
		"modular":   {[]string{"../../testdata/frequency.csv"}, map[string][]string{"total": {"合計"}}, call{"below": 5, "width": "8", "method": "modular"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			open := ask[document.OpenTable](d, "open", call{"Files": d.upload(c.files...), "Flags": c.flags})
			got := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": c.policy})
			repeat := ask[document.Repeat](d, "repeat", call{"Table": open.Table, "Policy": c.policy})
			policy := filepath.Join(t.TempDir(), "policy.toml")
			must.Do(t, os.WriteFile(policy, []byte(repeat.Policy), 0o600))
			out := filepath.Join(t.TempDir(), filepath.Base(c.files[0]))
			args := []string{"suppress", "--json", "--policy", policy, "-o", out}
			for k, values := range c.flags {
				for _, v := range values {
					args = append(args, "--"+k, v)
				}
			}
			if seeded := strings.Contains(repeat.Command, " --seed-file=seed "); seeded != (name == "random" || name == "partial") {
				t.Errorf("%s", repeat.Command)
			} else if seeded {
				secret := filepath.Join(t.TempDir(), "seed")
				must.Do(t, os.WriteFile(secret, ask[*page.File](d, "out", call{"Run": got.Run, "What": "seed"}).Content, 0o600))
				args = append(args, "--seed-file", secret)
			}
			var printed, words strings.Builder
			if code := run(append(args, c.files...), nil, &printed, &words); code > 1 {
				t.Fatalf("%v: %s", args, words.String())
			}
			var want document.Suppression
			must.Do(t, json.Unmarshal([]byte(printed.String()), &want))
			if !slices.Equal(got.Result.Pattern, want.Pattern) || got.Result.Cost != want.Cost || got.Result.Status != want.Status {
				t.Errorf("the page finds %v at %s, the command %v at %s", got.Result.Pattern, got.Result.Cost, want.Pattern, want.Cost)
			}
			if n := strings.Count(got.Withheld, "1"); n != want.Suppressed || len(got.Withheld) != open.Cells || len(got.Status) != open.Cells {
				t.Errorf("%d of %d cells are withheld, want %d of %d", n, len(got.Withheld), want.Suppressed, open.Cells)
			}
			file := ask[*page.File](d, "out", call{"Run": got.Run, "What": "table"})
			written := must.Get(os.ReadFile(out))(t)
			if filepath.Ext(out) != ".gz" && string(file.Content) != string(written) {
				t.Errorf("the page writes %d bytes, the command %d others", len(file.Content), len(written))
			}
			answers(d, open, got)
		})
	}
}

// answers asks about every cell of a run, and wants nothing but answers.
func answers(d *asker, open document.OpenTable, r document.RunResult) {
	d.Helper()
	for i := range min(open.Cells, 60) {
		c := ask[document.OpenCell](d, "cell", call{"Run": r.Run, "Cell": i})
		if c.Withheld != (r.Withheld[i] == '1') || c.Withheld && c.Interval == nil {
			d.Errorf("cell %d: %+v", i, c)
		}
		if c.Withheld && c.Status != "u" && c.Status != "m" {
			ask[document.Guarding](d, "why", call{"Run": r.Run, "Cell": i})
		}
	}
	ask[document.Audit](d, "audit", call{"Run": r.Run})
	for _, what := range []string{"report", "drawing", "statuses", "result", "policy"} {
		if f, err := try[*page.File](d, "out", call{"Run": r.Run, "What": what}); (err != nil || len(f.Content) == 0) && (what != "policy" && what != "report" && what != "drawing" || err != nil && open.Files[0].Format != "jj") {
			d.Errorf("%s: %v", what, err)
		}
	}
}

// TestOpenTrees opens a table whose trees were uploaded: beside it by their names, and named by a flag.
func TestOpenTrees(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	table := write("t.csv", "r,c,value\na1,x,1\na2,x,2\nb,x,3\na1,y,4\na2,y,5\nb,y,6\n")
	tree := write("t.r.hrc", "a\n@a1\n@a2\nb\n")
	other := write("tree.hrc", "a\n@a1\n@a2\nb\n")
	d := newDesk(t)
	ids := d.upload(table, tree)
	if open := ask[document.OpenTable](d, "open", call{"Files": ids[:1]}); len(open.Dimensions[0].Codes) != 5 {
		t.Errorf("beside: %v", open.Dimensions[0])
	}
	d = newDesk(t)
	ids = d.upload(table, other)
	open := ask[document.OpenTable](d, "open", call{"Files": ids[:1], "Flags": map[string][]string{"hierarchy": {"r=tree.hrc"}}})
	if len(open.Dimensions[0].Codes) != 5 {
		t.Errorf("by flag: %v", open.Dimensions[0])
	}
	if r := ask[document.Repeat](d, "repeat", call{"Table": open.Table}); r.Command != "hitoku suppress --hierarchy=r=tree.hrc t.csv" {
		t.Error(r.Command)
	}
}

// TestOpenLinked protects two tables as one, and writes both.
func TestOpenLinked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for name, text := range map[string]string{
		"a.csv": "r,c,value,freq\nx,1,10,2\nx,2,20,9\ny,1,30,8\ny,2,40,9\n",
		"b.csv": "r,d,value,freq\nx,p,12,5\nx,q,18,6\ny,p,33,8\ny,q,37,9\n",
	} {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		paths = append(paths, path)
	}
	slices.Sort(paths)
	d := newDesk(t)
	open := ask[document.OpenTable](d, "open", call{"Files": d.upload(paths...)})
	if len(open.Files) != 2 || len(open.Dimensions) != 3 {
		t.Fatalf("%+v", open)
	}
	r := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": call{"below": 3, "width": "5"}})
	for k := range 2 {
		f := ask[*page.File](d, "out", call{"Run": r.Run, "What": "table", "File": k})
		if !strings.HasPrefix(f.Name, string(rune('a'+k))+".protected") {
			t.Error(f.Name)
		}
	}
}

// The form of a policy has every field with what it does, in both languages.
func TestOpenForm(t *testing.T) {
	t.Parallel()
	start := ask[struct{ Policy []document.PolicyField }](newDesk(t), "start", nil)
	if fields := new(protect.Policy).Fields(); len(start.Policy) != len(fields) {
		t.Fatalf("%d fields, want %d", len(start.Policy), len(fields))
	}
	for _, f := range start.Policy {
		if f.Help["en"] == "" || f.Help["ja"] == "" || f.Help["en"] == f.Help["ja"] && f.Name != "levels-as-given" { // which no help shows
			t.Errorf("%+v", f)
		}
	}
}

// TestOpenFaults wants words for what is asked wrongly: no panic, and no path of the folder of uploads.
func TestOpenFaults(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	bad := filepath.Join(t.TempDir(), "bad.csv")
	must.Do(t, os.WriteFile(bad, []byte("a,b,value\nx,1,1\nx,1,2\n"), 0o600))
	ids := d.upload(bad, "../../testdata/frequency.csv")
	open := ask[document.OpenTable](d, "open", call{"Files": ids[1:], "Flags": map[string][]string{"total": {"合計"}}})
	run := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": call{"below": 5, "width": "8"}})
	for _, c := range []struct {
		name string
		body any
	}{
		{"open", call{}}, {"open", call{"Files": []string{"f9"}}}, {"open", call{"Files": []string{"../x"}}}, {"open", call{"Files": ids[:1]}},
		{"open", call{"Files": ids[1:], "Flags": map[string][]string{"save-layout": {"/tmp/x"}}}}, {"open", call{"Files": ids[1:], "Flags": map[string][]string{"output": {"/tmp/x"}}}},
		{"open", call{"Files": ids[1:], "Flags": map[string][]string{"header-rows": {"x"}}}}, {"open", "x"},
		{"mark", call{"Table": "t7"}}, {"mark", call{"Table": open.Table, "Policy": call{"width": "wide"}}}, {"mark", call{"Table": open.Table, "Policy": call{"publish": []string{"nowhere"}}}},
		{"run", call{"Table": open.Table, "Policy": call{"gap": 7}}}, {"run", call{"Table": open.Table, "From": "r7"}},
		{"cell", call{"Run": run.Run, "Cell": -1}}, {"cell", call{"Run": run.Run, "Cell": 1 << 40}}, {"why", call{"Run": run.Run, "Cell": 0}},
		{"out", call{"Run": run.Run, "What": "everything"}}, {"out", call{"Run": run.Run, "What": "table", "File": 3}}, {"out", call{"Run": run.Run, "What": "certificate"}},
		{"out", call{"Run": run.Run, "What": "table", "Policy": call{"below": 4, "width": "8"}}}, {"out", call{"Run": run.Run, "What": "report", "Policy": call{"below": 5, "width": "8", "withhold": []string{"x"}}}},
		{"risk", call{"File": ids[0], "Measure": "laplace"}}, {"risk", call{"File": ids[0], "Measure": "k-anonymity", "Flags": map[string][]string{"output": {"/tmp/x"}}}},
		{"columns", call{"File": "f9"}}, {"sheet", call{"File": "f9"}}, {"stop", call{"Job": "none"}}, {"nothing", call{}},
	} {
		_, err := try[any](d, c.name, c.body)
		if c.name == "stop" {
			continue
		}
		if err == nil {
			t.Errorf("%s %v: no error", c.name, c.body)
			continue
		}
		if c.name == "nothing" && !errors.Is(err, page.ErrNoCall) {
			t.Error(err)
		}
		if text := err.Error(); strings.Contains(text, os.TempDir()+"/hitoku") || strings.Contains(text, "%!") {
			t.Errorf("%s %v: %s", c.name, c.body, text)
		}
		if text := page.Told("ja", err); strings.Contains(text, os.TempDir()+"/hitoku") || !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
			t.Errorf("%s %v in Japanese: %s", c.name, c.body, text)
		}
	}
}

// TestOpenStop ends a search and keeps its best pattern.
func TestOpenStop(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	open := ask[document.OpenTable](d, "open", call{"Files": d.upload(shared.Path(t, "instances/csplib/hier13.jj.gz"))})
	text := must.Get(json.Marshal(call{"Table": open.Table, "Job": "j"}))(t)
	a := must.Get(d.Call(context.Background(), "run", text, func(e any) {
		if x, ok := e.(document.RunEvent); ok && x.Search != nil && x.Search.Upper != nil {
			ask[struct{}](d, "stop", call{"Job": "j"})
		}
	}))(t)
	r := a.(*document.RunResult)
	if r.Complete || r.Result.Audit != document.Protected || !strings.Contains(r.Withheld, "1") {
		t.Error(fmt.Sprint(r.Complete, r.Result.Audit, r.Result.Suppressed))
	}
}

// TestOpenPrefer has the pattern of last year preferred, whose file is on the desk, and guards against sole contributors.
func TestOpenPrefer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	last := filepath.Join(dir, "last.csv")
	must.Do(t, os.WriteFile(last, []byte("地域,P1,P2,P3,P4,P5,合計\nM1,,15,,20,10,95\nM2,72,20,1,30,10,133\nM3,38,38,15,40,2,133\n合計,130,73,46,90,22,361\n"), 0o600))
	d := newDesk(t)
	ids := d.upload("../../testdata/frequency.csv", last)
	open := ask[document.OpenTable](d, "open", call{"Files": ids[:1], "Flags": map[string][]string{"total": {"合計"}}})
	for _, policy := range []call{{"below": 5, "width": "8", "prefer": ids[1]}, {"below": 5, "width": "8", "insiders": true}} {
		r := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": policy})
		if r.Result.Audit != document.Protected {
			t.Errorf("%v: %+v", policy, r.Result)
		}
		if repeat := ask[document.Repeat](d, "repeat", call{"Table": open.Table, "Policy": policy}); policy["prefer"] != nil && !strings.Contains(repeat.Command, "--prefer=last.csv") {
			t.Error(repeat.Command)
		}
	}
}

// TestOpenLast lays the pattern of last year beside this year's rules: what it withholds, and which cells it leaves open.
func TestOpenLast(t *testing.T) {
	t.Parallel()
	last := filepath.Join(t.TempDir(), "last.csv")
	must.Do(t, os.WriteFile(last, []byte("地域,P1,P2,P3,P4,P5,合計\nM1,,15,,20,10,95\nM2,72,20,1,30,10,133\nM3,,38,,40,2,133\n合計,130,73,46,90,22,361\n"), 0o600))
	d := newDesk(t)
	ids := d.upload("../../testdata/frequency.csv", last, "../../testdata/4x4-published.csv")
	open := ask[document.OpenTable](d, "open", call{"Files": ids[:1], "Flags": map[string][]string{"total": {"合計"}}})
	r := ask[document.RunResult](d, "published", call{"Table": open.Table, "Policy": call{"below": 5, "width": "8"}, "Last": ids[1]})
	if r.Withheld != "101000000000101000000000" || r.Result.Audit != document.Unprotected || len(r.Exposed) != 2 || r.Lost != "103" {
		t.Errorf("%+v %+v", r, r.Result)
	}
	if _, err := try[document.RunResult](d, "published", call{"Table": open.Table, "Last": ids[2]}); err == nil {
		t.Error("a table with other cells is laid beside this one")
	}
	policy := ask[*page.File](d, "out", call{"Run": ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": call{"below": 5, "width": "8", "prefer": ids[1]}}).Run, "What": "policy"})
	if !strings.Contains(string(policy.Content), `prefer = "last.csv"`) {
		t.Errorf("%s", policy.Content)
	}
}

// TestSession goes on with a session on another desk: runs are what they were, the same bytes are handed out, and what
// is not the file of then is not taken for it.
func TestSession(t *testing.T) {
	t.Parallel()
	const file = "../../testdata/frequency.csv"
	flags, policy := call{"total": []string{"合計"}}, call{"below": 5, "width": "8"}
	d := newDesk(t)
	open := ask[document.OpenTable](d, "open", call{"Files": d.upload(file), "Flags": flags})
	run := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": policy})
	mine := call{"tables": []string{"f0"}, "flags": flags, "policy": policy, "chosen": run.Run}
	kept := ask[document.SessionState](d, "keep", call{"Page": mine, "Known": 0, "Lines": []call{{"what": "decided", "of": "M1/P1", "says": "withhold: agreed", "by": "A"}}})
	if kept.Revision != 1 || len(kept.Log) != 2 || kept.Log[1].By != "A" {
		t.Errorf("%+v", kept)
	}
	if late := ask[document.SessionState](d, "keep", call{"Page": call{}, "Known": 0}); late.Revision != 1 || !strings.Contains(string(late.Page), `"chosen":"r0"`) {
		t.Errorf("a page that has missed a change overwrites it: %+v", late)
	}
	if _, err := try[document.SessionState](d, "approve", call{"Run": run.Run, "Policy": policy, "Prepared": "A", "By": " a "}); err == nil {
		t.Error("who prepared approves")
	}
	if _, err := try[document.SessionState](d, "approve", call{"Run": run.Run, "Policy": call{"below": 4}, "Prepared": "A", "By": "B"}); err == nil {
		t.Error("rules changed since are approved")
	}
	approved := ask[document.SessionState](d, "approve", call{"Run": run.Run, "Policy": policy, "Prepared": "A", "By": "B"})
	out := call{"Run": run.Run, "What": "table", "Policy": policy}
	table := ask[*page.File](d, "out", out)
	if sum := fmt.Sprintf("%x", sha256.Sum256(table.Content)); approved.Approval.Files[0].SHA256 != sum {
		t.Errorf("approved is %s, handed out %s", approved.Approval.Files[0].SHA256, sum)
	}
	if report := ask[*page.File](d, "out", call{"Run": run.Run, "What": "report", "Masked": true, "Policy": policy}); !strings.Contains(string(report.Content), "B, prepared by A") {
		t.Error("the report does not say who has approved")
	}
	text := ask[*page.File](d, "out", call{"What": "session"})

	saved := filepath.Join(t.TempDir(), text.Name)
	must.Do(t, os.WriteFile(saved, text.Content, 0o600))
	d = newDesk(t)
	if got := ask[document.Dropped](d, "dropped", call{"File": d.upload(saved)[0]}); got.Kind != "session" {
		t.Error(got.Kind)
	}
	other := filepath.Join(t.TempDir(), "frequency.csv")
	content := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(other, append(content, '\n'), 0o600))
	d.upload(other)
	if s := ask[document.SessionState](d, "session", call{}); len(s.Missing) != 1 || s.Missing[0].Name != "frequency.csv" {
		t.Errorf("another file is taken for that of the session: %+v", s.Missing)
	}
	if _, err := try[*page.File](d, "out", out); err == nil {
		t.Error("a run without its file is handed out")
	}
}

// TestSessionAgain goes on where the file of the session is.
func TestSessionAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file   string
		flags  call
		policy call
	}{
		"counts":   {"../../testdata/frequency.csv", call{"total": []string{"合計"}}, call{"below": 5, "width": "8"}},
		"workbook": {"../../testdata/prefecture.xlsx", call{}, call{"below": 10, "width": "5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			open := ask[document.OpenTable](d, "open", call{"Files": d.upload(c.file), "Flags": c.flags})
			run := ask[document.RunResult](d, "run", call{"Table": open.Table, "Policy": c.policy})
			out := call{"Run": run.Run, "What": "table", "Policy": c.policy}
			want := ask[*page.File](d, "out", out)
			text := ask[*page.File](d, "out", call{"What": "session"})
			saved := filepath.Join(t.TempDir(), "a.session.json")
			must.Do(t, os.WriteFile(saved, text.Content, 0o600))
			d = newDesk(t)
			ask[document.Dropped](d, "dropped", call{"File": d.upload(saved)[0]})
			d.upload(c.file)
			if got := ask[*page.File](d, "out", out); !bytes.Equal(got.Content, want.Content) {
				t.Errorf("the session hands out %q, want %q", got.Content, want.Content)
			}
			said := ask[*page.File](d, "out", call{"Run": run.Run, "What": "result", "Policy": c.policy})
			var got document.Suppression
			if err := json.Unmarshal(said.Content, &got); err != nil || got.Status != run.Result.Status || got.Cost != run.Result.Cost || got.Bound != run.Result.Bound {
				t.Errorf("%v: %s %s %s, want %s %s %s", err, got.Status, got.Cost, got.Bound, run.Result.Status, run.Result.Cost, run.Result.Bound)
			}

			// A pattern changed by hand that protects nothing is not handed out.
			edited := bytes.Replace(text.Content, []byte(`"withheld":"`+run.Withheld), []byte(`"withheld":"`+strings.Repeat("0", len(run.Withheld))), 1)
			if err := os.WriteFile(saved, edited, 0o600); err != nil || bytes.Equal(edited, text.Content) {
				t.Fatal(err, "not edited")
			}
			d = newDesk(t)
			ask[document.Dropped](d, "dropped", call{"File": d.upload(saved)[0]})
			d.upload(c.file)
			if got, err := try[*page.File](d, "out", out); err == nil {
				t.Errorf("a pattern that withholds nothing is handed out: %q", got.Content)
			}
		})
	}
}

// TestRemedies follows the answers to what readers ask: none holds a placeholder, none was given already, and those that are said to read do. Names of
// sheets, lines and columns are data, whatever words and flags they have in them.
func TestRemedies(t *testing.T) {
	t.Parallel()
	tidy := "ACT,SIZE,TOT,MAX\nTotal,Total,60,20\nTotal,S,30,10\nTotal,L,30,20\nA,Total,25,10\nA,S,15,10\nA,L,10,8\nB,Total,35,20\nB,S,15,9\nB,L,20,20\n"
	for name, text := range map[string]string{
		"tidy.csv":     tidy,
		"lines.csv":    strings.NewReplacer("ACT", "activity", "MAX", "largest").Replace(tidy),
		"columns.csv":  strings.ReplaceAll(tidy, "TOT,", "value,"),
		"total.csv":    "a,b,value\nall (1),all (1),10\nall (1),x,4\nall (1),y,6\np,all (1),3\np,x,1\np,y,2\nq,all (1),7\nq,x,3\nq,y,4\n",
		"crosstab.csv": ",x,y,合計\np,1,2,3\nq,3,4,7\n合計,4,6,10\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), name)
			must.Do(t, os.WriteFile(file, []byte(text), 0o600))
			follow(t, file)
		})
	}
	for _, names := range [][2]string{{"Sales (net), from A1", "--total x; say --dims"}, {`"quoted", twice`, "N is --blank B2"}} {
		t.Run(names[0], func(t *testing.T) {
			t.Parallel()
			f := excelize.NewFile()
			defer f.Close()
			must := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			must(f.SetSheetName("Sheet1", names[0]))
			_, err := f.NewSheet(names[1])
			must(err)
			for k, sheet := range names {
				for r, row := range [][]any{{"kind", names[1], "b", "Total"}, {names[0], 10 + k, 21, 31 + k}, {string("yz"[k]), 33 - 9*k, 44, 77 - 9*k}, {"Total", 43 - 8*k, 65, 108 - 8*k}} {
					must(f.SetSheetRow(sheet, fmt.Sprintf("A%d", r+1), &row))
				}
			}
			file := filepath.Join(t.TempDir(), "two.xlsx")
			must(f.SaveAs(file))
			flags := follow(t, file)
			if !slices.ContainsFunc(slices.Concat(flags["range"], flags["blank"]), func(at string) bool {
				sheet, _, _ := strings.Cut(at, "!")
				return slices.Contains(names[:], sheet)
			}) {
				t.Errorf("answers %v", flags)
			}
		})
	}
}

// follow gives the first answer to each question of a file's reader until it reads a table, and returns the flags of these.
func follow(t *testing.T, file string) map[string][]string {
	d := newDesk(t)
	ids := d.upload(file)
	flags := map[string][]string{}
	for range 4 {
		if _, err := try[document.OpenTable](d, "open", call{"Files": ids, "Flags": flags}); err == nil {
			return flags
		}
		found := ask[[]document.Remedy](d, "remedies", call{"Files": ids, "Flags": flags})
		if len(found) == 0 {
			_, err := try[document.OpenTable](d, "open", call{"Files": ids, "Flags": flags})
			t.Fatalf("no answer to %v", err)
		}
		for _, x := range found {
			if strings.ContainsAny(x.Value, "`") || strings.HasSuffix(x.Value, "NAME") || slices.Contains(flags[x.Flag], x.Value) {
				t.Errorf("%+v", x)
			}
			with := maps.Clone(flags)
			with[x.Flag] = append(slices.Clone(flags[x.Flag]), x.Value)
			if _, err := try[document.OpenTable](d, "open", call{"Files": ids, "Flags": with}); (err == nil) != x.Reads {
				t.Errorf("%+v: %v", x, err)
			}
		}
		flags[found[0].Flag] = append(flags[found[0].Flag], found[0].Value)
	}
	t.Error("the answers lead to no table")
	return flags
}
