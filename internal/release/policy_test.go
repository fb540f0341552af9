package release

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/risk"
)

const sound = "confirmed = true\n[limits]\nk = 3\n[[column]]\nname = \"age\"\nrole = \"quasi-identifier\"\nband = [5, 10.5]\ntop = \"90\"\n"

// What a policy says that cannot be is an error that names it.
func TestReadPolicyErrors(t *testing.T) {
	var many, names []string
	for k := range mostWithheld {
		names = append(names, fmt.Sprint("c", k))
		many = append(many, fmt.Sprintf("[[column]]\nname = \"c%d\"\nrole = \"quasi-identifier\"\n", k))
	}
	for n, want := range map[int]bool{mostWithheld: true, mostWithheld + 1: false} { // it is what risk takes
		columns := must.Get(risk.NewColumns(append(names, "last")[:n]...))(t)
		if _, err := risk.NewClasses(columns, n).Withhold(t.Context(), risk.Missing{}, risk.Withholding{Goal: risk.Goal{K: 1}}); (err != nil && strings.Contains(err.Error(), "want at most 16")) == want {
			t.Errorf("values of %d columns: %v", n, err)
		}
	}
	for text, want := range map[string]string{
		"":                                      "no [[column]]; hitoku risk release FILE --propose POLICY writes one for each",
		strings.Replace(sound, "k =", "q =", 1): "limits.q: no field of a policy for a release",
		strings.Replace(sound, "k = 3", "", 1):  "[limits]: want k, l, t or risk",
		strings.Replace(sound, "k = 3", "risk = 0", 1):                                                  "risk 0: want a value in (0, 1]",
		strings.Replace(sound, "k = 3", "t = 1.5", 1):                                                   "t 1.5: want a value in [0, 1]",
		strings.Replace(sound, "k = 3", "k = 3\nuniques = 0.1", 1):                                      "reidentified and uniques want population",
		strings.Replace(sound, "k = 3", "k = 3\n[withhold]\nvalues = true\n"+strings.Join(many, ""), 1): "[withhold] values = true: 17 quasi-identifiers, want at most 16",
		strings.Replace(sound, "k = 3", "l = 2", 1):                                                     "l, t and inference want a sensitive column",
		strings.Replace(sound, "quasi-identifier", "quasi", 1):                                          `column age: role "quasi": want identifier, quasi-identifier, sensitive or plain`,
		strings.Replace(sound, "quasi-identifier", "plain", 1):                                          "column age: band is for columns whose role is quasi-identifier",
		sound + "[[column]]\nname = \"age\"\nrole = \"plain\"\n":                                        "column age: stands twice",
		sound + "[[column]]\nname = \"x\"\nrole = \"plain\"\ndistance = \"equal\"\n":                    "column x: distance is for columns whose role is sensitive",
		sound + "[[column]]\nname = \"x\"\nrole = \"sensitive\"\ndistance = \"far\"\n":                  `column x: distance "far": want equal, ordered`,
		"[limits]\nk = 3\n[[column]]\nname = \"x\"\nrole = \"plain\"\n":                                 "no column is a quasi-identifier: then there is nothing to search",
	} {
		path := filepath.Join(t.TempDir(), "p.toml")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := ReadPolicy(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// Numbers are exact, and steps are those of hitoku risk generalise.
func TestReadPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	must.Do(t, os.WriteFile(path, []byte(sound), 0o600))
	p := must.Get(ReadPolicy(path))(t)
	c := p.Columns[0]
	if c.Band[1].RatString() != "21/2" || c.Top.RatString() != "90" || c.Bottom.Rat != nil {
		t.Errorf("%v %v", c.Band, c.Top)
	}
	if _, err := p.Hierarchies(); err == nil { // 10.5 is no multiple of 5
		t.Error("widths that do not nest are taken")
	}
	for header, want := range map[string]string{"age": "", "age,sex": "a column sex, of which the policy says nothing", "sex": "sex"} {
		err := p.Fits(strings.Split(header, ","))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", header, err)
		}
	}
	p.Confirmed = false
	if err := p.Fits([]string{"age"}); err == nil || !strings.Contains(err.Error(), "confirmed = false") {
		t.Error(err)
	}
}

// What is set by the names of fields is written and read again, every field of it.
func TestPolicyWritten(t *testing.T) {
	p := &Policy{Confirmed: true, Columns: []Column{{Name: `a "b"`, Role: Quasi, Reason: "who\nknows"}, {Name: "x", Role: Sensitive, Reason: "r"}}}
	says := map[string]string{"k": "7", "l": "2", "t": "1/3", "population": "20000", "leave_out": "0.12345678901234567", "local": "true", "values": "true",
		"band": "5, 10.5", "bottom": "-3", "top": "90", "prefix": "7, 4", "recode": "/tmp/tree.csv", "all": "true", "distance": "ordered"}
	all := func(p *Policy) []option.Option {
		return slices.Concat(p.Fields(), p.Columns[0].Fields(), p.Columns[1].Fields())
	}
	for _, fields := range [][]option.Option{p.Fields(), p.Columns[0].Fields()[:6], p.Columns[1].Fields()[6:]} {
		for _, o := range fields {
			text := says[o.Name]
			if text == "" {
				text = "0.25"
			}
			if err := Set(fields, o.Name, text); err != nil || o.Texts() == nil || o.Texts()[0] != text {
				t.Fatalf("%s %s: %q, %v", o.Name, text, o.Texts(), err)
			}
		}
	}
	for _, hints := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "p.toml")
		var b strings.Builder
		must.Do(t, p.Write(&b, nil, hints))
		must.Do(t, os.WriteFile(path, []byte(b.String()), 0o600))
		q, err := ReadPolicy(path)
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		for k, o := range all(q) {
			if want := all(p)[k]; !slices.Equal(o.Texts(), want.Texts()) {
				t.Errorf("%s: %q, want %q", o.Name, o.Texts(), want.Texts())
			}
		}
		if q.Columns[0].Name != p.Columns[0].Name || q.Columns[0].Reason != p.Columns[0].Reason {
			t.Errorf("%+v", q.Columns[0])
		}
	}
	for name, text := range map[string]string{"k": "-1", "t": "2", "risk": "0", "l": "x", "none": "1"} {
		if Set(p.Fields(), name, text) == nil {
			t.Errorf("%s %s is taken", name, text)
		}
	}
}

// What is proposed is a policy that can be read, and says nothing that it does not mean.
func TestProposeIsRead(t *testing.T) {
	dir := t.TempDir()
	file, path := filepath.Join(dir, "f.csv"), filepath.Join(dir, "p.toml")
	text := "id,\"a \"\"b\"\"\",生年月日,郵便番号,年収,sex,mail\n"
	for i := range 60 {
		text += strings.Join([]string{"p" + strings.Repeat("x", i), "v", []string{"1970-01-02", "1980-02-03", "1990-12-31"}[i%3], []string{"100-0001", "530-0001", "600-8216"}[i%3], "1" + strings.Repeat("0", i%7), "fm"[i%2 : i%2+1], "a" + strings.Repeat("b", i) + "@x.jp"}, ",") + "\n"
	}
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	n, list := must.Two(Propose(t.Context(), file, risk.Layout{}))(t)
	var roles []string
	for _, p := range list {
		roles = append(roles, string(p.Role))
	}
	if got := strings.Join(roles, " "); n != 60 || got != "identifier plain quasi-identifier quasi-identifier sensitive quasi-identifier identifier" {
		t.Errorf("%d records: %s", n, got)
	}
	var b strings.Builder
	must.Do(t, Proposed(i18n.English, list).Write(&b, []string{"About it:"}, true))
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o600))
	p, err := ReadPolicy(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if p.Confirmed || len(p.Columns) != 7 || p.Columns[1].Name != `a "b"` || len(p.Columns[2].Prefix) != 3 {
		t.Errorf("%+v", p)
	}
	if _, err := p.Hierarchies(); err != nil {
		t.Error(err)
	}
}

// No text makes reading panic.
func FuzzPolicy(f *testing.F) {
	f.Add([]byte(sound))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "p.toml")
		must.Do(t, os.WriteFile(path, text, 0o600))
		if p, err := ReadPolicy(path); err == nil {
			_, _ = p.Hierarchies()
			p.Goal()
		}
	})
}
