package ooxml

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"48213", "48213"}, {"48,213 人", "48213"}, {"48 213", "48213"}, {"48\u00a0213", "48213"}, {"48\u202f213", "48213"}, {"48.213", "48213"},
		{"４８，２１３", "48213"}, {"４８２１３人", "48213"}, {"▲48,213", "48213"}, {"(48'213)", "48213"}, {"4万8213", "48213"}, {"1,048,213", "1048213"},
		{"48213.0", "48213"}, {"48,213.50", "48213.5"}, {"48.213,5", "48213.5"}, {"48213,5", "48213.5"}, {"=48213*2", "48213"}, {"4.8213E4", "48213"}, {"4.8213e+04", "48213"},
		{"¥48213", "48213"}, {"٤٨٢١٣", "48213"}, {"-0.050", "0.05"}, {"5万", "50000"}, {"1,2,48213", "48213"}, {"48213,7,9", "48213"}, {"3、48213", "48213"}, {"1億2345万6789", "123456789"},
	} {
		var got []string
		Numbers(tc.text, func(n Number) { got = append(got, n.Canon) })
		if !slices.Contains(got, tc.want) {
			t.Errorf("%s: %v, want %s", tc.text, got, tc.want)
		}
	}
	for _, text := range []string{"A48213", "$48213", "148213", "482130", "x_48213", "48,2135", "48,21", "248,213", "3.48213", "48213.7", "2,148,213"} {
		Numbers(text, func(n Number) {
			if n.Canon == "48213" {
				t.Errorf("%s: read as 48213", text)
			}
		})
	}
}

func TestCanon(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"560": "560", "560.0": "560", "0560": "560", "-5.60": "5.6", "0.30000000000000004": "0.3", "1.1077E4": "11077", "0": "0", "1e-3": "0.001", ".5": "0.5",
		"123456789012345678": "123456789012345678", "": "", "x": "", "1.2.3": "", "1e999": ""} {
		if got, _ := Canon(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestFormulas(t *testing.T) {
	t.Parallel()
	show := func(f *Formula) string {
		var all []string
		for _, r := range f.Refs {
			s := ""
			if r.Sheet != "" {
				s = r.Sheet + "!"
			}
			if r.LastSheet != "" {
				s = r.Sheet + ":" + r.LastSheet + "!"
			}
			s += CellName(r.Row, r.Col)
			if r.Row != r.LastRow || r.Col != r.LastCol {
				s += ":" + CellName(r.LastRow, r.LastCol)
			}
			if r.End {
				s += ":…"
			}
			all = append(all, s)
		}
		for _, n := range f.Names {
			all = append(all, "name "+n)
		}
		for _, n := range f.Tables {
			all = append(all, fmt.Sprintf("table %s[%s]", n.Table, n.Spec))
		}
		for _, n := range f.Functions {
			all = append(all, n+"()")
		}
		for _, n := range f.Numbers {
			all = append(all, "number "+n)
		}
		for _, n := range f.Strings {
			all = append(all, "text "+n)
		}
		if f.Outside {
			all = append(all, "outside")
		}
		if f.Opaque {
			all = append(all, "opaque")
		}
		return strings.Join(all, " | ")
	}
	for s, want := range map[string]string{
		"SUM(C4:F4)":               "C4:F4 | SUM()",
		"ROUND(B4/B$4*100,1)":      "B4 | B4 | ROUND() | number 100 | number 1",
		"'表１'!F5":                  "表１!F5",
		"表１!$F$5:$F$7":             "表１!F5:F7",
		"SUM(A:C)+SUM($2:$4)":      "A1:C1048576 | A2:XFD4 | SUM() | SUM()",
		"SUM(一月:三月!B2)":            "一月:三月!B2 | SUM()",
		"SUM('a:b c'!B2)":          "a:b c!B2 | SUM()",
		"'it''s'!A1":               "it's!A1",
		"[1]Sheet1!A1+'[2]x y'!B2": "outside",
		"INDIRECT(\"F\"&5)":        "INDIRECT() | number 5 | text F",
		"Sales[Total]+Sales[[#This Row],[a']b]]+Sales": "name Sales | table Sales[Total] | table Sales[[#This Row],[a']b]]",
		"A1:INDEX(B:B,3)":                 "A1:… | B1:B1048576 | INDEX() | number 3",
		"_xlfn.XLOOKUP(死別若年,A1:A3,B1:B3)": "A1:A3 | B1:B3 | name 死別若年 | XLOOKUP()",
		"LOG10(A1)+Q1e":                   "A1 | name Q1e | LOG10()",
		"IF(A1=\"a\"\"b\",1.5E-3,#N/A)":   "A1 | IF() | number 1.5E-3 | text a\"b",
		"Sheet1!name1":                    "name name1",
		"A1#":                             "A1",
		"\"open":                          "opaque | text ",
		"Sheet1!#REF!+B2":                 "B2",
		"SUM(Sheet1!A1:Sheet1!B2)":        "Sheet1!A1:… | Sheet1!B2 | SUM()",
		"a1+$b$2":                         "A1 | B2",
	} {
		got := strings.Split(show(ParseFormula(s)), " | ")
		if !slices.Equal(got, strings.Split(want, " | ")) && !strings.Contains(want, "opaque") {
			t.Errorf("%s: %s, want %s", s, strings.Join(got, " | "), want)
		}
		if strings.Contains(want, "opaque") && !ParseFormula(s).Opaque {
			t.Errorf("%s: not opaque", s)
		}
	}
	for _, tc := range []struct {
		s          string
		rows, cols int
		want       string
	}{
		{"=SUM(C5:C10)", 0, 1, "=SUM(D5:D10)"}, {"='A1 b'!$C3+LOG10(2)&\"B2\"", 1, 1, "='A1 b'!$C4+LOG10(2)&\"B2\""}, {"=Sheet1!A1+_x1+TRUE", 1, 1, "=Sheet1!B2+_x1+TRUE"},
		{"SUM(C4:F4)", 2, 0, "SUM(C6:F6)"}, {"SUM(C5:C10)", 0, 1, "SUM(D5:D10)"}, {"ROUND(B4/B$4*100,1)", 3, 1, "ROUND(C7/C$4*100,1)"},
		{"'a b'!$A1&\"A1\"&LOG10(A1)", 1, 1, "'a b'!$A2&\"A1\"&LOG10(B2)"}, {"SUM(A:A)+SUM(1:1)", 1, 1, "SUM(B:B)+SUM(2:2)"},
	} {
		if got, ok := ShiftText(tc.s, tc.rows, tc.cols); !ok || got != tc.want {
			t.Errorf("%s: %s, want %s", tc.s, got, tc.want)
		}
		refs, ok := ParseFormula(tc.s).Shift(tc.rows, tc.cols)
		if want := ParseFormula(tc.want).Refs; !ok || len(refs) != len(want) {
			t.Errorf("%s: %v", tc.s, refs)
		} else {
			for k := range refs {
				if refs[k].Area != want[k].Area {
					t.Errorf("%s: %v, want %v", tc.s, refs[k], want[k])
				}
			}
		}
	}
	for _, text := range []string{"=A1", "=A1:B2"} {
		if got, ok := ShiftText(text, -1, 0); ok || got != "=#REF!" {
			t.Errorf("%s moved up: %s", text, got)
		}
	}
}

func TestXML(t *testing.T) {
	t.Parallel()
	nodes := 100
	b := []byte("\xef\xbb\xbf<?xml version=\"1.0\" encoding='UTF-8'?><!-- 1 --><a:x y='1 &amp; 2' z = \"3\"><b/>t&#x31;<![CDATA[<]]><c>u<!-- 2 --></c></a:x>")
	root := must.Get(parse(b, &nodes, nil))(t)
	if got := root.String(); got != "t1<u" || root.Get("y") != "1 & 2" || root.Get("z") != "3" || nodes != 97 || len(root.Remarks) != 1 || len(root.Kids[1].Remarks) != 1 {
		t.Errorf("%q %q %d", got, root.Get("y"), nodes)
	}
	got := string(Apply(b, []Edit{root.Kids[1].Delete(), root.Attr("z").Delete(), root.Attr("y").Set(`"`), root.Kids[0].Append(b, "<d/>"), root.Kids[1].Texts[0].Set("inner"), {root.From, root.From, "<!--s-->"}}))
	if want := "\xef\xbb\xbf<?xml version=\"1.0\" encoding='UTF-8'?><!-- 1 --><!--s--><a:x y='&quot;'><b><d/></b>t&#x31;<![CDATA[<]]></a:x>"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if root, err := parse([]byte("<div>1<br>2<br></br>3</div>"), &nodes, nil); err != nil || root.String() != "123" || len(root.Kids) != 2 {
		t.Errorf("%v %v", root, err)
	}
	for _, bad := range []string{"", "<a>", "<a></b>", "<a b></a>", "<a b=c/>", "<a/><b/>", "x<a/>", "<!DOCTYPE a><a/>", "<a>&nbsp;</a>", "<a b='<'/>", "<?xml encoding='cp932'?><a/>x", "<a><!-- </a>", "<", "</a>", "<a", "<a b='", "\xff\xfe<"} {
		if _, err := parse([]byte(bad), &nodes, nil); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzXML(f *testing.F) {
	f.Add("<a b='1'><c>2</c><!-- x --></a>")
	f.Fuzz(func(t *testing.T, s string) {
		nodes := 1000
		root, err := parse([]byte(s), &nodes, nil)
		if err != nil {
			return
		}
		var edits []Edit
		root.All(func(n *Node) bool {
			for k := range n.Attrs {
				edits = append(edits, n.Attrs[k].Set(n.Attrs[k].Value))
			}
			for _, text := range n.Texts {
				edits = append(edits, text.Set(text.S))
			}
			return true
		})
		nodes = 1000
		again, err := parse(Apply([]byte(s), edits), &nodes, nil)
		if err != nil || again.String() != root.String() {
			t.Fatalf("%q: %v", s, err)
		}
	})
}

func FuzzFormula(f *testing.F) {
	f.Add("SUM('a b'!A1:B2)+Table1[[#This Row],[x]]")
	f.Fuzz(func(t *testing.T, s string) {
		ParseFormula(s)
		ShiftText(s, 1, 1)
		Numbers(s, func(n Number) {
			if n.From < 0 || n.To > len(s) || n.From >= n.To {
				t.Fatal(n)
			}
		})
	})
}

// TestLexerNames takes memory for each name once, and not for each element.
func TestLexerNames(t *testing.T) {
	text := []byte("<t:a>" + strings.Repeat("<t:b></t:b><t:c/>", 1000) + "</t:a>")
	if n := testing.AllocsPerRun(3, func() {
		l := must.Get(NewLexer(text))(t)
		for k := must.Get(l.Next())(t); k.Kind != EOF; k = must.Get(l.Next())(t) {
		}
	}); n > 100 {
		t.Errorf("%.0f pieces of memory for three names", n)
	}
}
