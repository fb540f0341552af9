package protect

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// samples are texts of fields, of more than one form where there are several.
var samples = map[string][]string{
	"rules": {"P(10,2)|FREQ(3,30)|ZERO(1)", "NK(0,0)|NK(0,0)|NK(1,80)|MIS(1)|WGT(1)"}, "dominance": {"1,80", "2,99.9"}, "p-percent": {"10", "20,2"}, "pq": {"5,90", "5,90,3"},
	"measure": {"0.1,0,-1"}, "min-freq": {"3", "3,30"}, "min-respondents": {"3", "3,0.5"}, "at": {"a=b=c"}, "change": {"30%", "turnover=0.5%"}, "groups": {"0", "2,3"},
	"lpl": {"15%"}, "max-width": {"40%"}, "cost": {"count", "power:0.5", "distance:1,3,5", "distance:A=1,3;B=2", "distance", "a column"}, "margins": {"publish", "weight:2.5"},
	"ends": {"plain", "2 digits", "plain 1 digits", "plain 0.5"}, "singletons": {"tauargus-opt", "tauargus-mod:single,minfreq=3", "tauargus-opt:multiple,minfreq", "tauargus-mod:single,multiple"},
	"time-limit": {"1ns", "1h30m"}, "defence-seed": {"18446744073709551615"},
}

// drawPolicy draws values as files may have them, also such as Check refuses.
func drawPolicy(t *rapid.T) (p Policy, c Change) {
	for _, f := range append(p.Fields(), c.Fields()...) {
		if !rapid.Bool().Draw(t, "is there "+f.Name) {
			continue
		}
		given := samples[f.Name]
		if given == nil {
			given = []string{"0", "8", "0.5", "123456789.25"}
		}
		switch to := f.To.(type) {
		case *string:
			*to = rapid.OneOf(rapid.SampledFrom([]string{"a\"b\\c", "計\t#"}), rapid.StringN(1, -1, -1)).Draw(t, f.Name)
			if o := f; o.Texts() == nil {
				*to = ""
			}
		case *bool:
			*to = true
		case *int:
			*to = rapid.IntRange(-9, -1).Draw(t, f.Name)
		case *int64:
			*to = rapid.Int64().Draw(t, f.Name)
		case *float64:
			*to = rapid.Float64Range(-1, 0.9).Draw(t, f.Name)
		case *[]string:
			*to = rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, f.Name)
		case option.List:
			for range rapid.IntRange(1, 3).Draw(t, "length of "+f.Name) {
				if err := to.Set(rapid.SampledFrom(given).Draw(t, f.Name)); err != nil {
					t.Fatal(err)
				}
			}
		default:
			if err := take(&f, rapid.SampledFrom(given).Draw(t, f.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p, c
}

// What is written is read again, in either form.
func TestPolicyRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, c := drawPolicy(t)
		for _, file := range []string{"p.toml", "p.json"} {
			var b bytes.Buffer
			if err := Write(&b, file, p, c); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			q, d, err := Read(&b, file)
			if err != nil || !reflect.DeepEqual(p, q) || !reflect.DeepEqual(c, d) {
				t.Fatalf("%s\nread as %+v %+v\nnot     %+v %+v: %v", text, q, d, p, c, err)
			}
		}
	})
}

// What says no more than holds without it is not written, and no field is a secret.
func TestWriteBrief(t *testing.T) {
	t.Parallel()
	p := of(`
		below = 5
		strict = true
		dominance = ["1,80", "2,90"]
		gap = 0.05
		method = "auto"
		coalition = 1
		lp = "simplex"
		defence-epsilon = 0.5
		defence-orders = 16
		time-limit = "0s"
		p-percent = "10,1"
		singletons = "none"`)
	var b strings.Builder
	must.Do(t, Write(&b, "p.toml", p, Change{Kind: "controlled"}))
	if want := "below = 5\ndominance = [\"1,80\", \"2,90\"]\np-percent = [\"10\"]\nstrict = true\ngap = 0.05\ndefence-epsilon = 0.5\n"; b.String() != want {
		t.Errorf("%s, want\n%s", b.String(), want)
	}
	for _, name := range fieldNames(new(Policy).Fields()) {
		if strings.Contains(name, "secret") || name == "seed" || name == "seed-file" {
			t.Errorf("a policy holds no secret, but a field %s", name)
		}
	}
}

func TestReadPolicy(t *testing.T) {
	t.Parallel()
	p := of("width = 8\nlpl = 0.5\np-percent = 10\npq = [\"5,90\"]\ndefence-seed = 3\ngap = 0\nbelow = 5.0\nupl = ''\ncost = ''\nrules = ''")
	ten := table.Decimal{Unscaled: 10}
	want := Policy{Width: level("8"), LPL: &table.Level{Decimal: table.Decimal{Unscaled: 5, Scale: 1}}, PPercent: []table.PQ{{P: ten, Q: table.Decimal{Unscaled: 100}, N: 1}},
		PQ: []table.PQ{{P: table.Decimal{Unscaled: 5}, Q: table.Decimal{Unscaled: 90}, N: 1}}, DefenceSeed: 3, Below: 5}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("%+v", p)
	}
	if p := of("cost = 'COLUMN'"); p.Check() != nil || p.Cost.Column != "COLUMN" {
		t.Errorf("%+v", p.Cost)
	}
	for _, c := range []struct{ file, text, err string }{
		{"p.toml", "below = 5\n\nwidth =\n", "p.toml:3: "},
		{"p.toml", "below = 5\nbelow = 6\n", "p.toml:2: "},
		{"p.toml", "belw = 5\n", "p.toml: belw: no field of a policy (did you mean below?); the fields are below, zeros-sensitive, "},
		{"p.toml", "below = \"many\"\n", "p.toml: below: want a whole number"},
		{"p.toml", "below = 1.5\n", "p.toml: below: want a whole number"},
		{"p.toml", "strict = 1\n", "p.toml: strict: want true or false"},
		{"p.toml", "width = true\n", "p.toml: width: want a text or number"},
		{"p.toml", "width = 8\nx = 1\n", "p.toml: x: "},
		{"p.toml", "gap = nan\n", "p.toml: gap: want a number"},
		{"p.toml", "pq = {a = 1}\n", "p.toml: pq: want a list of texts"},
		{"p.toml", "width = 'so wide'\n", `p.toml: width "so wide": want a number or a percentage like 15%`},
		{"p.toml", "lpl = -1\n", "p.toml: lpl -1: protection levels must be ≥ 0"},
		{"p.toml", "lower = 'x'\n", "p.toml: lower x: want a decimal number"},
		{"p.toml", "cost = 'power:2'\n", "p.toml: cost power:2: want a λ from 0 to 1: power:1 is the price value, power:0.5 its square root, power:0 its logarithm"},
		{"p.toml", "cost = 'distance:1,x'\n", "p.toml: cost distance:1,x: want distance:1,3,5, or distance:A=1,3,5;B=2,4 with a list for each dimension"},
		{"p.toml", "margins = 'weight:0'\n", "p.toml: margins weight:0: want weight:F with a number F above 0"},
		{"p.toml", "margins = 'drop'\n", "p.toml: margins drop: want withhold, publish or weight:F"},
		{"p.toml", "rules = 'P(10'\n", `p.toml: rules P(10: rule "P(10": want NAME(number,…), like P(10,1)`},
		{"p.toml", "dominance = '1'\n", "p.toml: dominance 1: want n,k"},
		{"p.toml", "pq = '5'\n", "p.toml: pq 5: want p,q or p,q,n"},
		{"p.toml", "time-limit = 'soon'\n", "p.toml: time-limit soon: want a time with its unit, like 30s, 10m or 1h30m"},
		{"p.toml", "defence-seed = '-1'\n", "p.toml: defence-seed -1: want a whole number, 0 or more"},
		{"p.toml", "singletons = 'some'\n", "p.toml: singletons some: want none, tauargus-opt or tauargus-mod, behind a colon some of single, multiple, minfreq"},
		{"p.toml", "singletons = 'tauargus-opt:minfreq=0'\n", "p.toml: singletons tauargus-opt:minfreq=0: want none, "},
		{"p.json", `{"below": null}`, "p.json: below: want a whole number"},
		{"p.json", `{"below": 5`, "p.json: unexpected EOF"},
		{"p.json", `{} {}`, "p.json: want one JSON object"},
		{"p.json", `[]`, "p.json: "},
	} {
		if _, _, err := Read(strings.NewReader(c.text), c.file); err == nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.err)
		}
	}
}

// Every fault names its field, which a command calls by its flag.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		policy, beside string // certificate, linked or response
		field, is      string
	}{
		{"manual = '20'\nrules = 'MAN(30)'", "", "manual", `--manual and MAN of --rules: want one of them`},
		{"time-limit = '-1s'", "", "time-limit", `--time-limit -1s: want 0 or more`},
		{"gap = 1", "", "gap", `--gap 1: want a value in [0, 1)`},
		{"below = -1", "", "below", `--below -1: want a number of contributors ≥ 1`},
		{"zeros-sensitive = true", "", "zeros-sensitive", `--zeros-sensitive needs --below`},
		{"apriori-ignore = true", "", "apriori-ignore", `--apriori-ignore needs --apriori`},
		{"coalition = 2", "", "coalition", `--coalition needs --insiders`},
		{"insiders = true\ncoalition = -1", "", "coalition", `--coalition -1: want 1 or more`},
		{"insiders = true", "certificate", "insiders", `--insiders and --certificate do not go together: a certificate knows nothing of insiders`},
		{"insiders = true\ndefence = 'simulatable'", "", "insiders", `--insiders and --defence do not go together`},
		{"defence = 'hope'", "", "defence", `--defence "hope": want simulatable, quantised, random`},
		{"defence-step = 3", "", "defence-step", `--defence-step needs --defence quantised or --defence-over quantised`},
		{"public-weights = 'f'", "", "public-weights", `--public-weights needs --defence`},
		{"defence = 'simulatable'\ngap = 0.1", "", "gap", `--gap and --defence do not go together: a defence neither searches nor proves costs`},
		{"defence = 'simulatable'", "certificate", "certificate", `--certificate and --defence do not go together: a defence neither searches nor proves costs`},
		{"defence = 'simulatable'\nwidth = '5%'", "", "width", `--width 5%: --defence needs a number, for a percentage depends on the value`},
		{"defence = 'simulatable'\nupl = '5'", "", "upl", `--upl and --defence do not go together: a defence can promise the width of an interval, but no distance from a value that no decision may depend on`},
		{"defence = 'quantised'\nwidth = '5'", "", "defence", `--defence quantised needs --below and --width`},
		{"defence = 'simulatable'", "linked", "defence", `--defence and --linked do not go together`},
		{"", "certificate linked", "certificate", `--certificate and --linked do not go together: a certificate is about one table`},
		{"singletons = 'tauargus-opt'\ninsiders = true", "", "singletons", `--singletons and --insiders do not go together: --insiders asks for what a contributor learns from all relations`},
		{"singletons = 'tauargus-opt'", "certificate", "singletons", `--singletons and --certificate do not go together: a certificate knows nothing of contributors`},
		{"method = 'fast'", "", "method", `--method "fast": want auto, exact, modular`},
		{"method = 'exact'\ninsiders = true", "", "method", `--method and --insiders do not go together: --insiders searches the whole table`},
		{"method = 'modular'\ncanonical = true", "", "method", `--method modular and --canonical do not go together: sub-tables do not find the canonical pattern of the whole`},
		{"method = 'modular'", "response", "response", `--response and --method modular do not go together: a common mask is found for the whole table at once`},
		{"publish = ['a']\ndefence = 'simulatable'", "", "publish", `--publish and --defence do not go together: a decision by hand may depend on the values`},
		{"prefer = 'f'\ndefence = 'random'", "", "prefer", `--prefer and --defence do not go together: a decision by hand may depend on the values`},
		{"insiders = true", "response", "response", `--response and --insiders do not go together`},
		{"defence = 'random'\ndefence-step = 3", "", "defence-step", `--defence-step needs --defence quantised or --defence-over quantised`},
	} {
		p := of(c.policy)
		err := p.Check(strings.Fields(c.beside)...)
		var f *FieldError
		if !errors.As(err, &f) || f.Field != c.field || f.Text.Named(func(f string) string { return "--" + f }).String() != c.is {
			t.Errorf("%s %s: %v, want %s", c.policy, c.beside, err, c.is)
		}
	}
	for _, text := range []string{"", "method = 'auto'\nsingletons = 'none'\ncoalition = 1\ndefence-orders = 16\ndefence-epsilon = 1", "method = 'auto'\ninsiders = true",
		"below = 5\nzeros-sensitive = true\ncost = 'COLUMN'\nsingletons = 'tauargus-mod:single,minfreq=3'", "below = 5\nwidth = 8\ndefence = 'random'\ndefence-over = 'quantised'\ndefence-base = 9"} {
		p := of(text)
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	bad := Policy{Width: &table.Level{Decimal: table.Decimal{Unscaled: -1}}}
	var f *FieldError
	if err := bad.Check(); !errors.As(err, &f) || f.Field != "width" {
		t.Errorf("a width below 0: %v", err)
	}
}
