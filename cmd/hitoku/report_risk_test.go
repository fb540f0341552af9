package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/risk"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/test/must"
)

// riskRuns are commands that print every metric, model and key. $D is the folder of
// the data of testdata/microdata.
var riskRuns = []string{
	"k-anonymity $D/salaries.csv --qi zip,age --min-k 5 --worst 1",
	"k-anonymity $D/salaries.csv --qi zip,age --missing wildcard --worst 1 --max-risk 1/2",
	"k-anonymity $D/visits.csv --qi zip --entity user --worst 9 --min-k 1",
	"k-anonymity $D/salaries.csv --qi zip,age --subsets 2 --missing suppressed --per-record k.csv",
	"special-uniques $D/survey.csv --qi Key1,Key2,Key3,Key4 --worst 2 --fraction 0.1 --max-dis 0.5 --per-record suda.csv",
	"special-uniques $D/salaries.csv --qi zip,age --missing ignore --drop salary",
	"beta-likeness $D/salaries.csv --qi zip,age --sensitive disease,salary --worst 1 --max-beta 2 --max-enhanced-beta 3 --max-delta-disclosure 1",
	"generalise $D/survey.csv --qi Key1,Key2,Key3,Key4 --band Key1=2,4 --withhold Key1,Key2,Key3,Key4 --drop w --min-k 2 -o general.csv",
	"generalise $D/survey.csv --qi Key1,Key2 --band Key1=2,4 --sensitive Key3",
	"generalise $D/survey.csv --qi Key1,Key2 --band Key1=2,4 --drop w --min-k 9",
	"withhold $D/survey.csv --qi Key1,Key2,Key3,Key4 --min-k 2 -o withheld.csv",
	"withhold $D/survey.csv --qi Key1,Key2 --min-k 20",
	"survey $D/survey.csv --qi Key1,Key2,Key3 --weight w --household Key4 --per-record w.csv",
	"l-diversity $D/salaries.csv --qi zip,age --sensitive disease,salary --worst 1 --min-l 2 --min-entropy-l 2 --max-alpha 1/2 --recursive 3,2",
	"t-closeness $D/salaries.csv --qi zip,age --sensitive disease,salary --distance salary=ordered --worst 1 --max-t 0.1",
	"k-map $D/clinic.csv --qi zip,age --population $D/register.csv --count count --wildcard ** --worst 2 --min-k 5 --max-delta 0.1 --max-risk 0.3",
	"k-map $D/clinic.csv --qi zip,age --population $D/register.csv --count count",
	"k-map $D/visits.csv --qi zip --aux zip.csv --population-size 1000 --worst 2",
	"k-map $D/visits.csv --qi zip --population-size 1000 --model thinning --worst 1 --min-k 7",
	"k-map $D/visits.csv --qi zip --population-size 1000 --model poisson --min-k 30 --worst 1",
	"delta-presence $D/clinic.csv --qi zip,age --population $D/register.csv --count count --wildcard ** --max-delta 0.1",
	"delta-presence $D/visits.csv --qi zip --aux zip.csv --population-size 1000",
	"delta-presence $D/visits.csv --qi zip --population-size 1000 --model thinning",
	"survey $D/survey.csv --qi Key1,Key2,Key3,Key4 --weight w --worst 1 --max-risk 0.1",
	"uniques $D/survey.csv --qi Key1,Key2,Key3,Key4 --population-size 1000 --worst 1 --max-share 0.1",
	"uniques $D/survey.csv --qi Key1,Key2,Key3,Key4 --population-size 10",
	"uniques $D/survey.csv --qi Key1,Key2,Key3,Key4 --population-size 8",
	"uniques $D/salaries.csv --qi zip,age --population-size 1000",
	"uniques skew.csv --qi q --population-size 1000",
	"sampling --n 10 --n0 2 --m 3 --printed-bounds --min-k 5",
	"sampling --n 100 --n0 10 --p 0.1 --design bernoulli",
	"sampling --n 10 --n0 9 --k 5",
	"sampling --n 1000 --n0 9 --k 5",
	"retention --n 1000 --m 10 --values 2,5 --rho 0.3,0.6 --min-k 2",
	"retention --n 1000 --values 3 --rho 0.5 --different",
	"retention --n 1000 --values 10 --k 3",
	"retention --n 10 --values 2 --k 30",
	"retention --n 10 --values 2 --rho 0.9 --k 9",
	"matrix matrix.csv --n 1000 --m 10 --sharper --min-k 2",
	"matrix matrix.csv --n 1000 --k 5",
	"noise --n 10000 --range 100,5000000 --k 5",
	"noise --n 101 --range 10,1000 --sigma 20,2000 --min-k 3",
	"noise --n 10 --range 1 --k 10",
	"noise --n 10 --range 0 --sigma 1",
	"noise --n 100 --unbounded --min-k 2",
	"noise --n 100 --range 1 --kind normal --k 2",
	"noise --n 100 --range 1 --kind uniform",
	"noise --n 100 --range 1 --kind triangular",
	"noise --n 100 --range 1 --kind truncated",
	"mixed --n 10000 --values 2,5 --numeric 1 --k 5",
	"mixed --n 10000 --values 2,5 --numeric 1 --rho 0.5 --weight pi/2",
	"mixed --n 10000 --values 2,5 --numeric 1 --k 5000",
	"all $D/salaries.csv --qi zip,age --sensitive disease --min-k 2 --population-size 1000 --date 2026-11-22",
	"compare $D/salaries.csv $D/salaries.csv --qi zip,age --sensitive salary --same-order --attacks 8 --max-risk 0.1",
	"mix $D/salaries.csv --attribute zip --number salary --range salary=0,100 --rho 1/2 --sigma 3 --seed s -o mix.csv --min-k 9",
	"mix gaps.csv --number a --range a=0,10 --sigma 5 --missing own --seed s -o gaps.out",
	"laplace gaps.csv --attribute a --range a=0,10 --sigma 5 --missing own --seed s -o gaps.out",
	"columns $D/salaries.csv --columns salary,zip --category zip --top 2",
	"columns gaps.csv --columns b",
	"posterior $D/clinic.csv $D/clinic.csv --qi zip,age --n 20 --new 1/10 --worst 1 --max-risk 0.1",
	"reconstruct $D/salaries.csv --attribute zip --rho 1/2",
	"pws --n 20 --s 15",
	"pws --n 20 --s 20",
	"pws --n 1000 --s 800",
	"pws --n 1 --to 300",
	"pws --class 7",
	"cell --count 9 --min-freq 10 --coalition 8 --interval 20,68 --width 10 --contributions 70,10,10,10 --dominance 1,70",
	"pram $D/salaries.csv --attribute zip,age --rho 0.5 --values zip=a,476**,4790*,476*,4767* --sample 4 --seed s -o pram.csv --min-k 2",
	"pram $D/salaries.csv --attribute zip --rho 0.9 --min-k 9 --seed s -o none.csv",
	"pram $D/salaries.csv --attribute zip --k 99 --seed s -o none.csv",
	"laplace $D/salaries.csv --attribute salary --k 3 --range salary=0,100 --seed s -o laplace.csv",
	"laplace $D/salaries.csv --attribute salary --k 10 --seed s -o none.csv",
	"microaggregate pairs.csv --attribute a --attribute b --k 2 -o micro.csv",
	"microaggregate $D/salaries.csv --attribute salary --k 2 --drop age -o micro.csv",
	"microaggregate $D/salaries.csv --attribute salary --k 99 -o micro.csv",
	"rank-swap $D/salaries.csv --attribute salary --percent 50 --seed s -o swapped.csv",
	"withhold $D/salaries.csv --qi zip,age --sensitive disease --min-k 2 --min-l 2 --weights age=2 --untouched zip",
	"sample $D/salaries.csv --k 2 --n0 2 --seed s -o sample.csv",
	"sample $D/salaries.csv --m 2 --seed s -o sample.csv",
	"sample $D/salaries.csv --k 9 --n0 2 --seed s -o none.csv",
}

// riskFiles are those that these commands read besides.
var riskFiles = map[string]string{"zip.csv": "zip,share\n42000,0.5\n17000,0.1\n", "matrix.csv": ",a,b\na,0.7,0.3\nb,0.2,0.8\n",
	"pairs.csv": "a,b\n1,7\n2,3\n2,9\n4,4\n9,1\n",
	"gaps.csv":  "a,b\n1,x\n2,x\n,y\n",
	"skew.csv":  "q\na\na\na\na\na\na\nb\nb\nb\nc\nd\ne\nf\n"}

// raw matches what a page says where it has no words for a key.
var raw = regexp.MustCompile(`<dt>[a-z0-9_]*_[a-z0-9_]*</dt>|<th class="[nt]">[a-z0-9_]*_[a-z0-9_]*</th>`)

// Every verb of hitoku risk that prints JSON has a page, and there are words in both
// languages for all that it prints.
func TestRiskReports(t *testing.T) {
	data := must.Get(filepath.Abs("../../testdata/microdata"))(t)
	t.Chdir(t.TempDir())
	for name, text := range riskFiles {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	shown, fitted := map[string]bool{}, false
	var saved []string // all documents, for their history
	for n, line := range riskRuns {
		shown[strings.Fields(line)[0]] = true
		args := strings.Fields(strings.ReplaceAll(line, "$D", data))
		var stdout, stderr bytes.Buffer
		code := run(append(append([]string{"risk"}, args...), "--json"), strings.NewReader(""), &stdout, &stderr)
		if code == cli.Usage {
			t.Errorf("%s: %s", line, stderr.String())
			continue
		}
		fitted = fitted || bytes.Contains(stdout.Bytes(), []byte(`"pitman_theta"`))
		wantPages(t, line, stdout.Bytes(), code)
		saved = append(saved, fmt.Sprintf("%d.json", n))
		must.Do(t, os.WriteFile(saved[len(saved)-1], stdout.Bytes(), 0o666))
	}
	shown["history"], shown["release"] = true, true // of several documents; by --page
	wantHistory(t, saved)
	if !fitted {
		t.Error("no Pitman model is fitted")
	}
	for _, verb := range risk.New().Commands() {
		if verb.Flags().Lookup("json") != nil && !shown[verb.Name()] {
			t.Errorf("no page of hitoku risk %s is tried", verb.Name())
		}
	}
}

// wantHistory wants pages of the history of documents, with words for every figure in it, and lines of those that change.
func wantHistory(t *testing.T, paths []string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append([]string{"risk", "history", "--json"}, paths...), strings.NewReader(""), &stdout, &stderr); code != cli.Done {
		t.Fatalf("history: exit code %d: %s", code, stderr.String())
	}
	wantPages(t, "history", stdout.Bytes(), cli.Done)
	docs := must.Get(report.ReadRisk("doc", stdout.Bytes()))(t)
	names := regexp.MustCompile(`<tr><td class="t">([^<]*)</td>|<figcaption>([^<]*)</figcaption>`)
	for _, lang := range report.Languages() {
		var b bytes.Buffer
		must.Do(t, report.Risks(&b, &report.Risk{Lang: lang, Documents: docs}))
		found := names.FindAllStringSubmatch(b.String(), -1)
		if len(found) < 100 || strings.Count(b.String(), "<figcaption>") < 20 {
			t.Errorf("%s: %d figures", lang, len(found))
		}
		for _, name := range found {
			if strings.Contains(name[1]+name[2], "_") {
				t.Errorf("%s: no words for %q", lang, name[1]+name[2])
			}
		}
	}
}

// The documents that the scripts expect have pages, too.
func TestRiskReportsOfScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/risk_*.txtar")
	if err != nil || scripts == nil {
		t.Fatal(scripts, err)
	}
	n := 0
	for _, path := range scripts {
		a := must.Get(txtar.ParseFile(path))(t)
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".json") {
				wantPages(t, path+": "+f.Name, f.Data, -1)
				n++
			}
		}
	}
	if n < 10 {
		t.Errorf("%d documents found", n)
	}
}

// wantPages wants pages of a document in both languages, whose verdict is that of code,
// unless that is below 0.
func wantPages(t *testing.T, name string, text []byte, code cli.Code) {
	t.Helper()
	docs, err := report.ReadRisk("doc", text)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	if code >= 0 && len(docs) == 1 {
		want := map[report.RiskVerdict]cli.Code{report.RiskBroken: cli.Verdict, report.RiskOpen: cli.Limit}[docs[0].Verdict()]
		if want != code {
			t.Errorf("%s: exit code %d, but the page's verdict would give %d", name, code, want)
		}
	}
	for _, lang := range report.Languages() {
		var b bytes.Buffer
		if err := report.Risks(&b, &report.Risk{Lang: lang, Documents: docs}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		page := b.String()
		if keys := raw.FindAllString(page, -1); keys != nil {
			t.Errorf("%s: %s: no words for %q", name, lang, keys)
		}
		for _, bad := range []string{"NaN", "+Inf", "%!", "<dd></dd>", "<p></p>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: %s: the page has %s", name, lang, bad)
			}
		}
		if lang == "ja" {
			wantTranslated(t, name, text, page)
		}
	}
}

// wantTranslated wants no sentence of the document in a Japanese page, as all have words
// there.
func wantTranslated(t *testing.T, name string, text []byte, page string) {
	t.Helper()
	var doc map[string]any
	must.Do(t, json.Unmarshal(text, &doc))
	for _, key := range []string{"why", "reason", "chosen", "design", "kind", "model"} {
		if s, ok := doc[key].(string); ok && strings.Contains(page, fmt.Sprintf("<dd>%s</dd>", s)) {
			t.Errorf("%s: %q is not translated", name, s)
		}
	}
}
