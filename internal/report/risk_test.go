package report

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// riskDocs are documents as hitoku risk prints them, with markup for names and values.
const riskDocs = `{"metric":"k_anonymity","status":"ok","files":["<a&b>.csv"],"qi":["<zip>","age,years"],"k":1,"records":1007,"classes":5,"max_class":1000,"sample_uniques":2,"missing":"own","missing_markers":["","NA"],"excluded":0,"with_missing":3,"all_missing":0,"prosecutor_max_risk":1,"average_risk":0.004965243296,"expected_reidentifications":5,"histogram":[{"size":1,"classes":2,"records":2},{"size":2,"classes":1,"records":2},{"size":3,"classes":1,"records":3},{"size":1000,"classes":1,"records":1000}],"worst":[{"tuple":["<script>",""],"records":1,"frequency":1}],"limits":[{"limit":"min-k","want":3,"got":1,"met":false},{"limit":"max-risk","want":1,"got":1,"met":true}]}
{"metric":"l_diversity","status":"ok","files":["<a&b>.csv"],"qi":["<zip>"],"records":9,"classes":3,"k":3,"missing":"drop","missing_markers":[""],"excluded":2,"with_missing":2,"all_missing":1,"missing_sensitive":"ignore","distinct_l":2,"entropy_l":1.889881574842,"alpha":"2/3","alpha_float":0.6666666666666666,"attributes":[{"attribute":"<ill>","distinct_l":2,"entropy_l":1.889881574842,"alpha":"2/3","alpha_float":0.6666666666666666,"recursive":[{"l":1,"c_infimum":"2/3"},{"l":2,"c_infimum":"2"},{"l":3,"c_infimum":null}],"distinct_l_histogram":{"2":1,"3":2},"missing_values":0}]}
{"metric":"survey","status":"empty","files":["other.csv"],"qi":["zip"],"model":"benedetti_franconi","records":0,"classes":0,"population_estimate":0,"k":null,"sample_uniques":0,"missing":"own","missing_markers":[""],"excluded":0,"with_missing":0,"all_missing":0,"max_risk":null,"histogram":[],"worst":[]}
{"metric":"noise","status":"infeasible","kind":"normal","n":100,"ranges":["1"],"ranges_float":[1],"target_k":"2","target_k_float":2,"why":"Theorem 5.3: normal noise does not protect, whatever its variance","sigma":null,"k":null}
{"metric":"pws","status":"ok","p":"1/3","p_float":0.333,"alpha":"1/2000","alpha_float":0.0005,"n":20,"s":15,"u":"4192468/3486784401","u_float":0.0012,"r":16,"r_sharp":16,"formula":"u","unsafe":false}
{"metric":"sample","status":"ok","file":"<a&b>.csv","output":"out.csv","shuffled":false,"n":10,"n0":2,"target_k":"2","target_k_float":2,"written":true,"m":7,"p":"7/10","p_float":0.7,"risk":"1/2","risk_float":0.5,"k":"2","k_float":2,"formula":"f","source":"s"}
`

func risks(t *testing.T, lang string) *Risk {
	t.Helper()
	docs := must.Get(ReadRisk("<d>.json", []byte(riskDocs)))(t)
	return &Risk{Lang: lang, Version: "v1", Documents: docs, Sources: []Source{{"data", "<a&b>.csv", "ab12"}, {"data", "other.csv", ""}, {"document", "<d>.json", "cd34"}}}
}

func riskPageText(t *testing.T, r *Risk) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Risks(&b, r))
	return b.String()
}

func TestRisks(t *testing.T) {
	text := riskPageText(t, risks(t, "en"))
	for _, want := range []string{
		"<title>Disclosure risk report</title>", "✗ Of 6 measures 2 do NOT keep their limits, miss their target or are unsafe.", "For the office only",
		"<caption>Measures of &lt;a&amp;b&gt;.csv</caption>", "<caption>Measures of other.csv</caption>", "<caption>Measures without a file of records</caption>",
		`<td class="t bad">✗ NOT KEPT</td>`, `<td class="t">– no limit</td>`, `<td class="t">? no records</td>`, `<td class="t bad">✗ OUT OF REACH</td>`, `<td class="t kept">✓ safe</td>`, `<td class="t kept">✓ reached</td>`,
		`<td class="t">&lt;a&amp;b&gt;.csv</td><td class="t"><code>ab12</code></td>`, `<td class="t">other.csv</td><td class="t">not to be read here</td>`,
		"<h2>1. k-anonymity</h2>", "<p>k at least 3: NOT kept. Found: 1.</p>", "<p>risk at most 1: kept. Found: 1.</p>", "Knows that the person is in the file",
		"<dd>&lt;zip&gt;, &#34;age,years&#34;</dd>", "a value of its own (marker: the empty field, NA); 3 records have one", "<dt>Average risk</dt><dd>0.00496524</dd>",
		`<tr><td class="t">1,000–1,999</td><td class="n">1</td><td class="n">1,000</td></tr>`, ">k = 3</text>", `<td class="t">&lt;script&gt;, &#34;&#34;</td>`,
		"<h2>2. l-diversity, records with missing values left out</h2>", "2 records have one; 1 of them have no other; 2 left out", "2/3 ≈ 0.666667", `<td class="n">no c</td>`, "Classes by number of different values of &lt;ill&gt;",
		"Nothing can be said: there are no records.", "No choice reaches k = 2.", "Theorem 5.3", "≈ 0.00120239", "<dt>Level α</dt><dd>0.0005</dd>",
		"<dt>Share published</dt><dd>0.7</dd>", "<h3>What the figures do not say</h3>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, bad := range []string{"<script", "_float", "exp(−2 Σ R/σ)", "<dt>r_sharp", "not defined</dd>\n<dt>k<"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page says %q", bad)
		}
	}
	if again := riskPageText(t, risks(t, "")); again != text {
		t.Error("the same documents give another page")
	}
	text = riskPageText(t, risks(t, "ja"))
	for _, want := range []string{`<html lang="ja">`, "k-匿名性", "準識別子", "同値類", "想定する攻撃者", "基準「k が 3 以上」を満たしていません（結果：1）。", "l-多様性（欠測のあるレコードを除く）", "定理 5.3：正規分布のノイズ", "数値へのノイズ付加", "達成不能"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	masked := risks(t, "en")
	masked.Mask = true
	text = riskPageText(t, masked)
	if !strings.Contains(riskPageText(t, risks(t, "en")), "Internal: not to be published") || strings.Contains(text, "Internal:") || strings.Contains(text, "ab12") || strings.Contains(text, "cd34") {
		t.Error("a page with checksums of confidential files is not internal, or the masked one has them")
	}
	if strings.Contains(text, "&lt;script&gt;") || strings.Contains(text, "For the office only") || !strings.Contains(text, "Values of the worst classes are left out.") {
		t.Error("the masked page has values of records, or does not say that it has none")
	}
	// One document has no summary, and its files in the title.
	one := risks(t, "en")
	one.Documents = one.Documents[:1]
	text = riskPageText(t, one)
	if strings.Contains(text, "<caption>Measures of") || !strings.Contains(text, "<h1>Disclosure risk report: &lt;a&amp;b&gt;.csv</h1>") {
		t.Error("a page of one document")
	}
}

// What a document does not have, or has in another form than hitoku risk prints, is an
// error that names its place.
func TestReadRiskErrors(t *testing.T) {
	metrics := strings.Join(slices.Sorted(maps.Keys(riskMetrics)), ", ")
	for text, want := range map[string]string{
		"":                   "f: no document",
		"x":                  "f: document 1: no JSON: invalid character 'x' looking for beginning of value",
		"[]":                 "f: document 1: not what hitoku risk --json prints, which has the keys metric and status",
		`{"metric":"k_map"}`: "f: document 1: not what hitoku risk --json prints, which has the keys metric and status",
		`{"a":1,"a":1}`:      "f: document 1: not what hitoku risk --json prints, which has the keys metric and status",
		riskDocs + `{"metric":"k-anonymity","status":"ok"}`:                                      `f: document 7: unknown metric "k-anonymity"; known are ` + metrics,
		`{"metric":"k_map","status":"good"}`:                                                     `f: document 1: unknown status "good"; known are ok, infeasible, empty`,
		`{"metric":"k_map","status":"ok","model":"m"}`:                                           `f: document 1: unknown model "m" of k_map; known are attack_table, relative_frequency, thinning, poisson`,
		`{"metric":"k_map","status":"ok","limits":[1]}`:                                          "f: document 1: key limits: want a list of objects with limit, want, got and met",
		`{"metric":"k_anonymity","status":"ok","k":{}}`:                                          "f: document 1: key k: not what hitoku risk --json prints there",
		`{"metric":"k_anonymity","status":"ok","qi":"a"}`:                                        "f: document 1: key qi: want a list of texts",
		`{"metric":"k_anonymity","status":"ok","missing":"m"}`:                                   `f: document 1: key missing: unknown mode "m"; known are own, drop, suppressed, wildcard, ignore`,
		`{"metric":"k_anonymity","status":"ok","histogram":1}`:                                   "f: document 1: key histogram: want a list of objects with numbers of classes and records",
		`{"metric":"k_anonymity","status":"ok","histogram":[{"size":2},{"size":1}]}`:             "f: document 1: key histogram: want sizes in ascending order",
		`{"metric":"k_anonymity","status":"ok","worst":[1]}`:                                     "f: document 1: key worst: want a list of objects",
		`{"metric":"k_anonymity_entity","status":"ok","worst":[{"tuples":[["a"]],"times":[]}]}`:  "f: document 1: key worst: tuples: want lists of records and of how often each comes",
		`{"metric":"l_diversity","status":"ok","attributes":[{"distinct_l_histogram":{"a":1}}]}`: `f: document 1: key attributes: distinct_l_histogram: "a" is no number of values`,
		`{"metric":"k_map","status":"ok","model":"thinning","sizes":1}`:                          "f: document 1: key sizes: want a list of objects",
		`{"metric":"pws","status":"ok","to":3,"r":[1]}`:                                          "f: document 1: key r: want lists r and r_sharp of one length",
		`{"schema":"hitoku/suppress/1","metric":"pws","status":"ok"}`:                            `f: document 1: key schema: "hitoku/suppress/1": no document of pws`,
		`{"schema":"hitoku/risk-pws/2","metric":"pws","status":"ok"}`:                            `f: document 1: key schema: "hitoku/risk-pws/2": this is hitoku for version 1 of these documents`,
	} {
		docs, err := ReadRisk("f", []byte(text))
		if err == nil {
			err = Risks(&bytes.Buffer{}, &Risk{Documents: docs})
		}
		if fmt.Sprint(err) != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	if err := Risks(&bytes.Buffer{}, &Risk{}); fmt.Sprint(err) != "report: a page about risk needs a document" {
		t.Error(err)
	}
	if err := Risks(&bytes.Buffer{}, &Risk{Lang: "fr"}); fmt.Sprint(err) != `report: no language "fr", want en or ja` {
		t.Error(err)
	}
}

// Estimates by size are in the order of their numbers, and no mark at a limit on F stands
// among the sizes of classes.
func TestRiskSizes(t *testing.T) {
	var sizes []string
	for n := 1; n <= 30; n++ {
		sizes = append(sizes, fmt.Sprintf(`{"size":%d,"classes":1,"population_estimate":%d,"risk_exact":0.5,"risk_approx":0.5,"prob_F_at_least":{"10":0.1,"2":0.9,"5":0.5}}`, n, 10*n))
	}
	docs := must.Get(ReadRisk("f", []byte(`{"metric":"k_map","status":"ok","model":"thinning","qi":["a"],"k_map_estimate":"10","sizes":[`+strings.Join(sizes, ",")+`],"limits":[{"limit":"min-k","want":3,"got":10,"met":true}]}`)))(t)
	text := riskPageText(t, &Risk{Documents: docs})
	for _, want := range []string{`>F ≥ 2</th><th class="n">F ≥ 5</th><th class="n">F ≥ 10</th>`, "<p>Estimates by size of the class: 10 further lines are left out.</p>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(text, `class="mark"`) {
		t.Error("a mark at a size that no limit is on")
	}
}

// No document makes reading or writing panic.
func FuzzRisk(f *testing.F) {
	for _, line := range strings.Split(riskDocs, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var docs []*RiskDocument
		var err error
		memtest.Bound(t, len(text), 32<<20, 4000, func() { docs, err = ReadRisk("f", text) })
		if err == nil {
			_ = Risks(&bytes.Buffer{}, &Risk{Documents: docs})
		}
	})
}

func TestRiskNumbers(t *testing.T) {
	for s, want := range map[string]string{"4/9": "4/9 ≈ 0.444444", "25192645/48841": "25192645/48841 ≈ 515.809", "3/8": "0.375", "7": "7", "12345/2": "6,172.5",
		"1/34867844013486784401": "≈ 2.868 × 10⁻²⁰", "-2/3": "−2/3 ≈ −0.666667"} {
		r := parseFraction(s)
		if r == nil {
			t.Fatal(s)
		}
		if got := fractionText(r); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	for _, s := range []string{"", "1e9", "1/0", "x", "1/-2", strings.Repeat("1", maxFraction+1)} {
		if r := parseFraction(s); r != nil {
			t.Errorf("%.20s is a number", s)
		}
	}
	for x, want := range map[float64]string{0: "0", 0.1: "0.1", 1278152.992: "1,278,153", 0.40235947: "0.402359", 1e-5: "1 × 10⁻⁵", -0.25: "−0.25", 3: "3", 1e20: "1 × 10²⁰", 0.99999999: "1"} {
		if got := floatText(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
	if r := new(big.Rat).SetFloat64(0.5); fractionText(r) != "0.5" {
		t.Error(r)
	}
}
