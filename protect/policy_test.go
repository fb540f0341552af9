package protect

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawPolicy draws any values, also such as Check refuses.
func drawPolicy(t *rapid.T) Policy {
	var p Policy
	v := reflect.ValueOf(&p).Elem()
	word := rapid.OneOf(rapid.SampledFrom([]string{"", "8", "15%", "P(10,1)|FREQ(3,30)", "weight:2.5", "power:0.5", "a\"b\\c", "計\t#", "1e400"}), rapid.String())
	for k, name := range Fields() {
		switch f := v.Field(k); f.Kind() {
		case reflect.String:
			f.SetString(word.Draw(t, name))
		case reflect.Bool:
			f.SetBool(rapid.Bool().Draw(t, name))
		case reflect.Int, reflect.Int64:
			f.SetInt(rapid.Int64().Draw(t, name))
		case reflect.Float64:
			f.SetFloat(rapid.Float64().Draw(t, name))
		case reflect.Slice:
			if list := rapid.SliceOf(word).Draw(t, name); len(list) > 0 {
				f.Set(reflect.ValueOf(list))
			}
		default:
			t.Fatalf("a field of kind %s", f.Kind())
		}
	}
	return p
}

func TestPolicyRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t)
		for _, file := range []string{"p.toml", "p.json"} {
			var b bytes.Buffer
			if err := p.Write(&b, file); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			q, err := Read(&b, file)
			if err != nil || !reflect.DeepEqual(p, q) {
				t.Fatalf("%s\nread as %+v\nnot     %+v: %v", text, q, p, err)
			}
		}
		if b := p.Brief(); !reflect.DeepEqual(b, b.Brief()) {
			t.Fatalf("%+v is brief as %+v", b, b.Brief())
		}
	})
}

// The names of the fields are those of flags, and every field tells of itself where it is given.
func TestTexts(t *testing.T) {
	t.Parallel()
	p := Policy{Below: 5, Strict: true, Dominance: []string{"1,80", "2,90"}, Gap: 0.05, Method: "auto", Coalition: 1, LP: "simplex", DefenceEpsilon: 0.5, TimeLimit: "0s"}
	want := map[string][]string{"below": {"5"}, "strict": {"true"}, "dominance": {"1,80", "2,90"}, "gap": {"0.05"}, "defence-epsilon": {"0.5"}}
	if got := p.Texts(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, name := range Fields() {
		if strings.Contains(name, "secret") || name == "seed" || name == "seed-file" {
			t.Errorf("a policy holds no secret, but a field %s", name)
		}
	}
}

func TestReadPolicy(t *testing.T) {
	t.Parallel()
	loose := "width = 8\nlpl = 0.5\np-percent = 10\npq = [\"5,90\", 7]\ndefence-seed = 3\ngap = 0\nbelow = 5.0\n"
	p, err := Read(strings.NewReader(loose), "p.toml")
	if want := (Policy{Width: "8", LPL: "0.5", PPercent: []string{"10"}, PQ: []string{"5,90", "7"}, DefenceSeed: "3", Below: 5}); err != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, c := range []struct{ file, text, err string }{
		{"p.toml", "below = 5\n\nwidth =\n", "p.toml:3: "},
		{"p.toml", "below = 5\nbelow = 6\n", "p.toml:2: "},
		{"p.toml", "belw = 5\n", "p.toml: belw: no field of a policy (did you mean below?); the fields are below, zeros-sensitive, "},
		{"p.toml", "below = \"many\"\n", "p.toml: below: want a whole number"},
		{"p.toml", "below = 1.5\n", "p.toml: below: want a whole number"},
		{"p.toml", "strict = 1\n", "p.toml: strict: want true or false"},
		{"p.toml", "width = true\n", "p.toml: width: want a text or number"},
		{"p.toml", "width = nan\nx = 1\n", "p.toml: x: "},
		{"p.toml", "gap = nan\n", "p.toml: gap: want a number"},
		{"p.toml", "pq = {a = 1}\n", "p.toml: pq: want a list of texts"},
		{"p.json", `{"below": null}`, "p.json: below: want a whole number"},
		{"p.json", `{"below": 5`, "p.json: unexpected EOF"},
		{"p.json", `{} {}`, "p.json: want one JSON object"},
		{"p.json", `[]`, "p.json: "},
	} {
		if _, err := Read(strings.NewReader(c.text), c.file); err == nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.err)
		}
	}
}

// Every fault names its field, which a command calls by its flag.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p         Policy
		beside    string // certificate, linked or response
		field, is string
	}{
		{Policy{Width: "wide"}, "", "width", `--width "wide": want a number or a percentage like 15%`},
		{Policy{LPL: "-1"}, "", "lpl", `--lpl "-1": protection levels must be ≥ 0`},
		{Policy{Lower: "x"}, "", "lower", `--lower "x": want a decimal number`},
		{Policy{Cost: "power:2"}, "", "cost", `--cost "power:2": want a λ from 0 to 1: power:1 is the price value, power:0.5 its square root, power:0 its logarithm`},
		{Policy{Cost: "distance:1,x"}, "", "cost", `--cost "distance:1,x": want distance:1,3,5, or distance:A=1,3,5;B=2,4 with a list for each dimension`},
		{Policy{Margins: "weight:0"}, "", "margins", `--margins "weight:0": want weight:F with a number F above 0`},
		{Policy{Margins: "drop"}, "", "margins", `--margins "drop": want withhold, publish or weight:F`},
		{Policy{Rules: "P(10"}, "", "rules", `--rules: rule "P(10": want NAME(number,…), like P(10,1)`},
		{Policy{Dominance: []string{"1"}}, "", "dominance", `--dominance "1": want n,k`},
		{Policy{PQ: []string{"5"}}, "", "pq", `--pq "5": want p,q or p,q,n`},
		{Policy{Manual: "20", Rules: "MAN(30)"}, "", "manual", `--manual and MAN of --rules: want one of them`},
		{Policy{TimeLimit: "soon"}, "", "time-limit", `--time-limit "soon": want a time like 30s or 10m`},
		{Policy{TimeLimit: "-1s"}, "", "time-limit", `--time-limit -1s: want 0 or more`},
		{Policy{Gap: 1}, "", "gap", `--gap 1: want a value in [0, 1)`},
		{Policy{Below: -1}, "", "below", `--below -1: want a number of contributors ≥ 1`},
		{Policy{ZerosSensitive: true}, "", "zeros-sensitive", `--zeros-sensitive needs --below`},
		{Policy{AprioriIgnore: true}, "", "apriori", `--apriori-separator, --apriori-ignore and --apriori-expand need --apriori`},
		{Policy{Coalition: 2}, "", "coalition", `--coalition needs --insiders`},
		{Policy{Insiders: true, Coalition: -1}, "", "coalition", `--coalition -1: want 1 or more`},
		{Policy{Insiders: true}, "certificate", "insiders", `--insiders and --certificate do not go together: a certificate knows nothing of insiders`},
		{Policy{Insiders: true, Defence: "simulatable"}, "", "insiders", `--insiders and --defence do not go together`},
		{Policy{Defence: "hope"}, "", "defence", `--defence "hope": want one of ["simulatable" "quantised" "random"]`},
		{Policy{DefenceStep: 3}, "", "defence-step", `--defence-step needs --defence quantised`},
		{Policy{PublicWeights: "f"}, "", "public-weights", `--public-weights needs --defence`},
		{Policy{Defence: "simulatable", Gap: 0.1}, "", "gap", `--gap and --defence do not go together: a defence neither searches nor proves costs`},
		{Policy{Defence: "simulatable"}, "certificate", "certificate", `--certificate and --defence do not go together: a defence neither searches nor proves costs`},
		{Policy{Defence: "simulatable", Width: "5%"}, "", "width", `--width 5%: --defence needs a number, for a percentage depends on the value`},
		{Policy{Defence: "simulatable", UPL: "5"}, "", "upl", `--upl and --defence do not go together: a defence can promise the width of an interval, but no distance from a value that no decision may depend on`},
		{Policy{Defence: "quantised", Width: "5"}, "", "defence", `--defence quantised needs --below and --width`},
		{Policy{Defence: "simulatable"}, "linked", "defence", `--defence and --linked do not go together`},
		{Policy{}, "certificate linked", "certificate", `--certificate and --linked do not go together: a certificate is about one table`},
		{Policy{Singletons: "some"}, "", "singletons", `--singletons "some": want none, tauargus-opt or tauargus-mod, behind a colon some of single, multiple, minfreq`},
		{Policy{Singletons: "tauargus-opt:minfreq=0"}, "", "singletons", `--singletons "tauargus-opt:minfreq=0": want none, tauargus-opt or tauargus-mod, behind a colon some of single, multiple, minfreq`},
		{Policy{Singletons: "tauargus-opt", Insiders: true}, "", "singletons", `--singletons and --insiders do not go together: --insiders asks for what a contributor learns from all relations`},
		{Policy{Singletons: "tauargus-opt"}, "certificate", "singletons", `--singletons and --certificate do not go together: a certificate knows nothing of contributors`},
		{Policy{Method: "fast"}, "", "method", `--method "fast": want auto, exact, modular`},
		{Policy{Method: "exact", Insiders: true}, "", "method", `--method and --insiders do not go together: --insiders searches the whole table`},
		{Policy{Method: "modular", Canonical: true}, "", "method", `--method modular and --canonical do not go together: sub-tables do not find the canonical pattern of the whole`},
		{Policy{Method: "modular"}, "response", "response", `--response and --method modular do not go together: a common mask is found for the whole table at once`},
		{Policy{Publish: []string{"a"}, Defence: "simulatable"}, "", "publish", `--publish and --defence do not go together: a decision by hand may depend on the values`},
		{Policy{Prefer: "f", Defence: "random"}, "", "prefer", `--prefer and --defence do not go together: a decision by hand may depend on the values`},
		{Policy{Insiders: true}, "response", "response", `--response and --insiders do not go together`},
		{Policy{DefenceSeed: "-1"}, "", "defence-seed", `--defence-seed "-1": want a number from 0 to 2^64 − 1`},
	} {
		own := c.p.given()
		err := c.p.Check(func(field string) bool { return own(field) || strings.Contains(c.beside, field) })
		var f *FieldError
		if !errors.As(err, &f) || f.Field != c.field || f.Text.Named(func(f string) string { return "--" + f }).String() != c.is {
			t.Errorf("%+v %s: %v, want %s", c.p, c.beside, err, c.is)
		}
	}
	for _, p := range []Policy{{}, {Method: "auto", Singletons: "none", Coalition: 1, DefenceOrders: 16, DefenceEpsilon: 1},
		{Below: 5, ZerosSensitive: true, Cost: "COLUMN", Singletons: "tauargus-mod:single,minfreq=3"},
		{Below: 5, Width: "8", Defence: "random", DefenceOver: "quantised", DefenceBase: 9}} {
		if err := p.Check(nil); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if x, err := (&Policy{Cost: "COLUMN"}).Parse(); err != nil || x.CostColumn != "COLUMN" {
		t.Errorf("column %q, %v", x.CostColumn, err)
	}
}
