package arb

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
)

// coded runs the batch t.arb of files, each in the encoding that own names, else in enc, and returns its output out.txt.
func coded(dir, enc, told string, files, own map[string]string) (out []byte, log string, err error) {
	for name, text := range files {
		e := enc
		if of, ok := own[name]; ok {
			e = of
		}
		b, ok := records.Encode([]byte(text), e)
		if !ok {
			panic(e + " has no " + text)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			return nil, "", err
		}
	}
	os.Remove(filepath.Join(dir, "out.txt"))
	var said strings.Builder
	err = Run(context.Background(), filepath.Join(dir, "t.arb"), &Options{Words: &said, Encoding: told})
	out, _ = os.ReadFile(filepath.Join(dir, "out.txt"))
	return out, said.String(), err
}

// micro is a batch on records of the codes; rows are the lines of its output in code-value form.
func micro(codes []string) (files map[string]string, rows string) {
	codes = slices.Compact(slices.Sorted(slices.Values(codes)))
	var m, h, want strings.Builder
	for _, c := range codes {
		m.WriteString(c + ";2\n")
		h.WriteString("@" + c + "\n")
		want.WriteString(c + ",2\n")
	}
	return map[string]string{
		"t.arb": "// évaluation\n<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"Région\"|\"V\"||\n<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n<WRITETABLE> (1,3,QU-SE+,\"out.txt\")\n",
		"m.csv": m.String(),
		"m.rda": "<SEPARATOR> \";\"\nRégion 20\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"h.hrc\"\n<HIERLEADSTRING> \"@\"\nV 5\n<NUMERIC>\n",
		"h.hrc": "Île\n" + h.String(),
	}, want.String()
}

// Files of a batch are read in the encoding that they are in, UTF-8 or CP1252, also where one is in the one and one in the
// other, which is said, and never as Japanese unless --encoding or a comment says so; outputs are written in that of the
// data, and with its line ends.
func TestEncodings(t *testing.T) {
	dir := t.TempDir()
	letters := rapid.Map(rapid.SampledFrom([]rune("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŠšŽžŸ")), func(r rune) string { return string(r) })
	name := rapid.Custom(func(t *rapid.T) string {
		return rapid.StringMatching(`[A-Z]?[a-z]{0,3}`).Draw(t, "begin") + letters.Draw(t, "letter") + rapid.StringMatching(`[a-z]{0,4}`).Draw(t, "end")
	})
	kana := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]rune("東京大阪府県市区町村建設製造業サービスきたみなとｱｲｳA１")), 2, 6), func(r []rune) string { return "産" + string(r) })
	check := func(t *rapid.T, codes []string, enc, told string, own map[string]string) {
		files, rows := micro(codes)
		if enc == records.CP932 { // which has no é
			for k, v := range files {
				files[k] = strings.NewReplacer("Région", "地域", "évaluation", "表", "Île", "全国").Replace(v)
			}
		}
		crlf := rapid.Bool().Draw(t, "CR LF")
		if crlf {
			files["m.csv"] = strings.ReplaceAll(files["m.csv"], "\n", "\r\n")
		}
		if told != "" && rapid.Bool().Draw(t, "comment") {
			files["t.arb"], told = files["t.arb"]+"//--encoding "+told+"\n", ""
		}
		out, log, err := coded(dir, enc, told, files, own)
		if bytes.Contains(out, []byte("\r\n")) != crlf || strings.Contains(log, "differ in their encoding") != (len(sets.Of(slices.Collect(maps.Values(own)))) == 2) {
			t.Fatalf("CR LF %v, %v: %q\n%s", crlf, own, out, log)
		}
		out = bytes.ReplaceAll(out, []byte("\r"), nil)
		in := enc
		if e, ok := own["m.csv"]; ok {
			in = e
		}
		got, ok := records.Decode(out, in)
		_, got, _ = strings.Cut(got, "\n") // the total,
		_, got, _ = strings.Cut(got, "\n") // and the code above all
		if lines := slices.Sorted(strings.Lines(got)); err != nil || !ok || !slices.Equal(lines, slices.Sorted(strings.Lines(rows))) {
			t.Fatalf("%q in %s %v: %v\n%s\nwant %s\n%s", codes, enc, own, err, got, rows, log)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOfN(name, 1, 6).Draw(t, "codes")
		eastern := rapid.SliceOfN(kana, 1, 6).Draw(t, "Japanese")
		switch enc := rapid.SampledFrom([]string{records.CP1252, records.UTF8}).Draw(t, "encoding"); rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			check(t, codes, enc, "", nil)
		case 1:
			check(t, codes, enc, enc, nil)
		case 2:
			check(t, eastern, records.UTF8, "", nil)
		case 3:
			check(t, eastern, records.CP932, records.CP932, nil)
		case 4:
			mixed := map[string]string{}
			for _, f := range []string{"h.hrc", "m.csv", "m.rda", "t.arb"} {
				mixed[f] = rapid.SampledFrom([]string{records.UTF8, records.CP1252}).Draw(t, f)
			}
			check(t, codes, records.UTF8, "", mixed)
		}
	})
}

// Where the encoding of the data has no letter of another input, the output is UTF-8, which is said; data of ASCII alone
// are written as the other inputs are.
func TestEncodingOfOutput(t *testing.T) {
	for _, tc := range []struct{ data, tree, enc, want, said string }{
		{"été", "Łódź", records.CP1252, "Total,2\nŁódź,2\nété,2\n", "Table 1 is written in UTF-8, as CP1252 has no Łódź, which other inputs have"},
		{"ete", "Île", records.CP1252, "Total,2\n\xcele,2\nete,2\n", ""},
		{"ete", "Île", records.UTF8, "Total,2\nÎle,2\nete,2\n", ""},
	} {
		files, _ := micro([]string{tc.data})
		files["t.arb"] = strings.NewReplacer("Région", "Region", "é", "e").Replace(files["t.arb"])
		files["m.rda"] = strings.ReplaceAll(files["m.rda"], "Région", "Region")
		files["h.hrc"] = tc.tree + "\n@" + tc.data + "\n"
		own := map[string]string{"h.hrc": records.UTF8}
		if tc.said == "" {
			own = nil
		}
		out, log, err := coded(t.TempDir(), tc.enc, "", files, own)
		if err != nil || string(out) != tc.want || !strings.Contains(log, tc.said) {
			t.Errorf("%v: %v\n%q\nwant %q\n%s", tc, err, out, tc.want, log)
		}
	}
}

// Intermediate tables have the decimal mark of the records that they were made of, as of tables; the other types separate by
// commas, and have points. All have the line ends of the data.
func TestMarksOfOutput(t *testing.T) {
	for _, mark := range []string{",", "."} {
		for _, end := range []string{"\n", "\r\n"} {
			files, _ := micro([]string{"é"})
			files["m.csv"] = "é;2" + mark + "5" + end
			files["m.rda"] += "<DECIMALS> 1\n"
			for kind, want := range map[string]string{"3,QU-SE+": "Total,2.5|Île,2.5|é,2.5|", "5,QU-SE+SO+": "Total;2,5;1;2,5;S;0,0;0,0|Île;2,5;1;2,5;S;0,0;0,0|é;2,5;1;2,5;S;0,0;0,0|", "6,": "0|3|0 2.5 2.5 s 0 inf 0 0 0|1 2.5 2.5 s 0 inf 0 0 0|2 2.5 2.5 s 0 inf 0 0 0|2|0 2 : 0 (-1) 1 (1)|0 2 : 1 (-1) 2 (1)|"} {
				if kind[0] == '5' && mark == "." {
					want = strings.ReplaceAll(want, ",", ".")
				}
				files["t.arb"] = strings.Replace(files["t.arb"], "3,QU-SE+", kind, 1)
				out, log, err := coded(t.TempDir(), records.UTF8, "", files, nil)
				if got := strings.ReplaceAll(string(out), end, "|"); err != nil || got != want {
					t.Errorf("%s %q type %s: %v\n%s\nwant %s\n%s", mark, end, kind, err, got, want, log)
				}
				files["t.arb"] = strings.Replace(files["t.arb"], kind, "3,QU-SE+", 1)
			}
		}
	}
}

// Records of fixed width whose columns are counted in characters make the same table in UTF-8 as in CP1252, where these are bytes.
func TestFixedWidth(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var data strings.Builder
		for range rapid.IntRange(1, 8).Draw(t, "records") {
			code := rapid.StringMatching(`[A-ZÉÎ][a-zéèüñß]{0,7}`).Draw(t, "code")
			fmt.Fprintf(&data, "%s%s%3d\n", code, strings.Repeat(" ", 8-utf8.RuneCountInString(code)), rapid.IntRange(0, 999).Draw(t, "value"))
		}
		files := map[string]string{
			"t.arb": "<OPENMICRODATA> \"m.asc\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n<WRITETABLE> (1,3,QU-,\"out.txt\")\n",
			"m.asc": data.String(), "m.rda": "R 1 8\n<RECODEABLE>\nV 9 3\n<NUMERIC>\n",
		}
		western, log, err := coded(folder, records.CP1252, "", files, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		got, log, err := coded(folder, records.UTF8, "", files, nil)
		if want, _ := records.Decode(western, records.CP1252); err != nil || string(got) != want {
			t.Fatalf("%v\n%s\nwant\n%s\n%s", err, got, want, log)
		}
	})
}
