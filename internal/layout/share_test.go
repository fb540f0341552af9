package layout

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/sets"
)

// TestShareInField: numbers with their shares in one field are read as two numbers, go together, and leave what stood beside them; a share goes by itself where its number
// stays and what it is a share of does not. They are not taken out beside numbers that add up with them.
func TestShareInField(t *testing.T) {
	t.Parallel()
	const text = "Area,All,Single,Married,Widowed\nAll,100,40,50,10 (10.0%)\nAdair,60,25,30,5 (8.3%)\nBoone,40,15,20,5 (12.5%)\n"
	for _, o := range []Options{{Tolerance: "10", Blank: []string{"2:5-4:5"}}, {NoTotal: []string{"Column"}, Blank: []string{"2:5-4:5"}}} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", o)
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "has a number and its share") {
			t.Errorf("%+v: %v", o.Blank, err)
		}
	}
	if _, err := Open(strings.NewReader(text), "f.csv", "", "", Options{Blank: []string{"2:2-4:5"}}); err != nil && strings.Contains(err.Error(), "its share") {
		t.Error(err) // nothing is left that would tell
	}
	for _, tc := range []struct{ text, account, want string }{
		{text, "15 numbers: 12 values, 3 per cent of another column; none unknown", "Area,All,Single,Married,Widowed\nAll,100,40,50,10 (10.0%)\nAdair,60,x,30,x (x)\nBoone,40,x,20,x (x)\n"},
		{"Deaths in 2021;;;\nCause;Both;Males;Females\nAll;1\u00a0240 [100,0 %];622 [50,2 %];618 [49,8 %]\nStroke;1\u00a0230 [100,0 %];620 [50,4 %];610 [49,6 %]\nFlood;10 [100,0 %];2 [20,0 %];8 [80,0 %]\n", "",
			"Deaths in 2021;;;\nCause;Both;Males;Females\nAll;1\u00a0240 [100,0 %];622 [50,2 %];618 [49,8 %]\nStroke;1\u00a0230 [100,0 %];x [x];x [x]\nFlood;10 [100,0 %];x [x];x [x]\n"},
		// the first row has no shares, and is no header
		{"Area,All,Single,Other\nAdair,-,-,-\nBoone,40 (48),15 (50),25 (47)\nClay,43 (52),15 (50),28 (53)\nAll,83 (100),30 (100),53 (100)\n", "",
			"Area,All,Single,Other\nAdair,-,-,-\nBoone,40 (48),x (x),x (x)\nClay,43 (52),x (x),x (x)\nAll,83 (100),30 (100),53 (100)\n"},
	} {
		s, err := Open(strings.NewReader(tc.text), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		book, err := Open(bytes.NewReader(bookOfText(t, tc.text)), "f.xlsx", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Account(nil).Words()); tc.account != "" && got != tc.account {
			t.Error(got)
		}
		pattern := make([]bool, in.Table.Len())
		for i := range pattern {
			name := in.Table.CellName(i)
			pattern[i] = !strings.Contains(name, "All") && !strings.Contains(name, "Both") && !strings.Contains(name, "Married") && !strings.Contains(name, "Adair/Other") && (!strings.Contains(name, "Adair") || strings.Contains(tc.text, "Married"))
		}
		var out bytes.Buffer
		if err := formats.Write(&out, in, pattern); err != nil || out.String() != tc.want {
			t.Errorf("%v\n%s\nwant\n%s", err, &out, tc.want)
		}
		if in, err = book.Input(formats.Options{}); err != nil {
			t.Fatal(err)
		}
		if out.Reset(); formats.Write(&out, in, pattern) != nil {
			t.Fatal(tc.want)
		}
		copied, err := Workbook(bytes.NewReader(out.Bytes()), "f.xlsx")
		if err != nil {
			t.Fatal(err)
		}
		separator, got := separatorOf(tc.want), ""
		for _, row := range copied.Grids[0].Rows {
			got += strings.Join(sets.Each(row, func(f Field) string { return f.Text }), separator) + "\n"
		}
		if want := strings.Replace(tc.want, ";;;\n", "\n", 1); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// separatorOf is what stands between the fields of a text.
func separatorOf(text string) string {
	if strings.Contains(text, ";") {
		return ";"
	}
	return ","
}

// bookOfText is a workbook with the fields of a text, whole numbers as such.
func bookOfText(t *testing.T, text string) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for r, line := range strings.Split(strings.TrimSpace(text), "\n") {
		for c, field := range strings.Split(line, separatorOf(text)) {
			at, _ := excelize.CoordinatesToCellName(c+1, r+1)
			var value any = field
			if n, err := strconv.Atoi(field); err == nil {
				value = n
			}
			if field == "" {
				continue
			}
			if err := f.SetCellValue("Sheet1", at, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	var raw bytes.Buffer
	if err := f.Write(&raw); err != nil {
		t.Fatal(err)
	}
	return raw.Bytes()
}

// TestSeveralInField: a sheet of fields with several numbers that no reading has is no text beside the table of another sheet, whatever stands between the numbers. A list
// of classes is.
func TestSeveralInField(t *testing.T) {
	t.Parallel()
	for form, unknown := range map[string]int{"N; P%": 9, "N/P": 9, "N (P% of all)": 9, "n=N (P%)": 9, "N ± P": 9, "from N": 0} {
		text := "Deaths\nCause|Both|Male|Female"
		for _, row := range [][]string{{"Total", "41", "22", "19"}, {"Cancer", "30", "20", "10"}, {"Other", "11", "2", "9"}} {
			text += "\n" + row[0]
			for i, n := range row[1:] {
				text += "|" + strings.NewReplacer("N", n, "P", []string{"100.0", "53.7", "46.3"}[i]).Replace(form)
			}
		}
		b, more := sheetOf("Cause|Both|Male|Female\nTotal|41|22|19\nCancer|30|20|10\nOther|11|2|9"), sheetOf(text).Grids[0]
		b.Grids[0].Sheet, more.Sheet = "Data", "More"
		b.Grids = append(b.Grids, more)
		r, err := find(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := (&Source{Reading: r, grids: b.Grids}).Account(nil); len(a.Unknown) != unknown {
			t.Errorf("%s: %v", form, a.Unknown)
		}
	}
}

// TestSharesOfSheetWithGap: a sheet of shares, in which an empty column stands elsewhere than in the sheet of the values, is computed from it.
func TestSharesOfSheetWithGap(t *testing.T) {
	t.Parallel()
	book := sheetOf("Tableau 1. Personnes par commune\n(nombre)\nCommune|Vols|Fraudes||Violences|Incendies||Total\nAubigny|3|3||2|1||9\nBelmont|2|2||1|-||5\nDompierre|5|3||4|1||13\nEnsemble|10|8||7|2||27")
	other := sheetOf("Tableau 1. Personnes par commune\n(nombre)\nCommune|Vols|Fraudes|Violences||Incendies|Total\nAubigny|33.3|33.3|22.2||11.1|100\nBelmont|40|40|20||0|100\nDompierre|38.5|23.1|30.8||7.7|100\nEnsemble|37|29.6|25.9||7.4|100").Grids[0]
	book.Grids[0].Sheet, other.Sheet = "Donnees", "Parts"
	book.Grids = append(book.Grids, other)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 20 || len(r.Tables[0].Derived) != 20 {
		t.Errorf("%d tables\n%v", len(r.Tables), r.Words())
	}
}

// withSheet returns a book, nil for none yet, with the sheet of another one under a name.
func withSheet(book, one *Book, name string) *Book {
	one.Grids[0].Sheet = name
	if book == nil {
		return one
	}
	book.Grids = append(book.Grids, one.Grids[0])
	return book
}

// TestSharesOfHundred: of a sheet whose total is 100 and that of its shares, which has the same numbers, the first has the counts.
func TestSharesOfHundred(t *testing.T) {
	t.Parallel()
	var book *Book
	for i, lines := range []string{"57|51|108\n43|49|92\n100|100|200", "30|20|50\n27|23|50\n57|43|100", "27|31|58\n16|26|42\n43|57|100", "28.5|25.5|54\n21.5|24.5|46\n50|50|100", "30|20|50\n27|23|50\n57|43|100", "27|31|58\n16|26|42\n43|57|100"} {
		rows := strings.Split(lines, "\n")
		b := sheetOf("Persons\nAge|Theft|Fraud|Total\nYoung|" + rows[0] + "\nOld|" + rows[1] + "\nAll ages|" + rows[2])
		book = withSheet(book, b, []string{"All", "Nord", "Sud", "Parts1", "Parts2", "Parts3"}[i])
	}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]int{}
	for _, x := range r.Tables {
		for i := range x.Cells {
			cells[nameOfSheet(x.Cells[i].Sheet)]++
		}
	}
	if cells["Nord"] != 9 || cells["Sud"] != 9 || cells["Parts2"] > 0 {
		t.Errorf("%v\n%v", cells, r.Words())
	}
}

// TestSharesOfRoundedTotal: shares of a total that is rounded are of the total of their column, though a number elsewhere, rounded, fits better.
func TestSharesOfRoundedTotal(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Table 1. Persons by area and status\n(number)||||||||||||||Per cent\nArea|Single|%|Married|%|Widowed|%|Divorced|%|Unknown|%|Total|%||Area|Single|Married|Widowed|Divorced|Unknown|Total|Single per 100 Unknown\n  North|1161|18.3|1179|18.6|474|7.5|863|13.6|26|0.4|3702|58.5||North|61.99|81.96|99.6|64.62|2.12|58.47|4536.3\n"+
		"    Adair|550|8.7|476|7.5|473|7.5|0|0|25|0.4|1524|24.1||Adair|29.34|33.1|99.58|0|2.08|24.08|2181\n    Boone|612|9.7|703|11.1|0|0|863|13.6|0|0|2177|34.4||Boone|32.65|48.86|0.02|64.62|0.03|34.39|152925\n  South|712|11.2|260|4.1|2|0|472|7.5|1183|18.7|2629|41.5||South|38.01|18.04|0.4|35.38|97.88|41.53|60.2\n"+
		"    Clay|3|0.1|1|0|1|0|2|0|755|11.9|762|12||Clay|0.18|0.03|0.25|0.14|62.45|12.03|0.4\n    Dover|709|11.2|259|4.1|1|0|470|7.4|428|6.8|1867|29.5||Dover|37.84|18.01|0.15|35.24|35.43|29.5|165.5\nAll|1874|29.6|1438|22.7|475|7.5|1335|21.1|1209|19.1|6331|100||All|100|100|100|100|100|100|155"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Tables[0].Derived {
		if d.Ref == "R4" && !slices.ContainsFunc(d.Of, func(of []string) bool { return of[0] == "All" && of[1] == "Widowed" }) {
			t.Errorf("R4 of %v", d.Of)
		}
	}
}

// TestSharesOfTotal: beside columns of shares, the column of nothing but 100 is what the total is of itself.
func TestSharesOfTotal(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Region|Young|Young|Old|Old|All|All\n|Firms|Weight|Firms|Weight|Firms|Weight\nTrade|3|9.7|28|90.3|31|100\nTransport|-|0|10|100|10|100\nRegion|9|13.0|60|87.0|69|100\nHealth|6|21.4|22|78.6|28|100"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x := r.Tables[0]; len(x.Cells) != 12 || len(x.Derived) != 12 {
		t.Errorf("%d cells, %d computed\n%v", len(x.Cells), len(x.Derived), r.Words())
	}
}

// TestSharesOfKin: a sheet of 50 and 100 per cent is one of shares where the sheets like it are.
func TestSharesOfKin(t *testing.T) {
	t.Parallel()
	var book *Book
	for i, rows := range [][]string{{"3|8", "2|4", "1|4"}, {"3|9", "3|4", "0|5"}, {"10|0", "5|0", "5|0"}, {"16|17", "10|8", "6|9"}, {"100|100", "66.7|50", "33.3|50"}, {"100|100", "100|44.4", "0|55.6"}, {"100|-", "50|-", "50|-"}, {"100|100", "62.5|47.1", "37.5|52.9"}} {
		b := sheetOf("Persons\nOffence|under 20|20 to 34\nAll|" + rows[0] + "\nTheft|" + rows[1] + "\nFraud|" + rows[2])
		book = withSheet(book, b, []string{"Adair", "Boone", "Clay", "Total", "Parts1", "Parts2", "Parts3", "Parts4"}[i])
	}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 24 {
		t.Errorf("%d tables\n%v", len(r.Tables), r.Words())
	}
}

// TestWholeSharesOfDecimals: whole per cents and whole changes of numbers with decimals are computed from them where their header says so.
func TestWholeSharesOfDecimals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text    string
		derived int
	}{
		"changes":  {"Commune|2018|2019|Évolution\nAubigny|6.8|3.8|-3\nBelmont|0.9|13.1|12\nDompierre|6.3|2.9|-3\nÉtréval|4.7|6.3|2\nFontenay|4.6|1.2|-3\nGrandmont|13|3.4|-10\nHautecour|10.8|12.3|2\nJoigny|1.8|6.3|4\nEnsemble|48.9|49.3|0", 9},
		"shares":   {"Commune|Hommes|%|Femmes|%|Ensemble|%\nAubigny|21.4|12|42.2|23|63.6|35\nBelmont|13.9|8|1.3|1|15.2|8\nDompierre|53.7|29|8.1|4|61.8|34\nÉtréval|32.6|18|9.5|5|42.1|23\nEnsemble|121.6|67|61.1|33|182.7|100", 15},
		"unheaded": {"Commune|2018|2019|2020\nAubigny|6.8|3.8|3\nBelmont|0.9|13.1|12\nDompierre|6.3|2.9|3\nÉtréval|4.7|6.3|2\nFontenay|4.6|1.2|3\nEnsemble|23.3|27.3|23", 0},
	} {
		r, err := find(sheetOf(c.text), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.Tables) != 1 || len(r.Tables[0].Derived) != c.derived {
			t.Errorf("%s: %v", name, r.Words())
		}
	}
}

// TestSharesOfOneYear: shares below a table are those of one of its years, whether the years stand over the columns or
// below them, and whatever the language of the unit below both.
func TestSharesOfOneYear(t *testing.T) {
	t.Parallel()
	const shares = "\n\n% 2023\nSekcja;M;K;Razem\nRazem;30;70;100\nA;21;79;100\nB;31;69;100\nC;18;82;100\nD;43;57;100\n"
	for name, text := range map[string]string{
		"below": "Zgony\nSekcja;M;M;K;K;Razem;Razem\n;2023;2022;2023;2022;2023;2022\n;osoby;osoby;osoby;osoby;osoby;osoby\nRazem;34;30;80;111;114;141\nA;5;3;19;39;24;42\nB;18;15;40;41;58;56\nC;2;3;9;12;11;15\nD;9;9;12;19;21;28\n",
		"over":  "Zgony\nSekcja;2022;2022;2022;2023;2023;2023\n;M;K;Razem;M;K;Razem\n;osoby;osoby;osoby;osoby;osoby;osoby\nRazem;30;111;141;34;80;114\nA;3;39;42;5;19;24\nB;15;41;56;18;40;58\nC;3;12;15;2;9;11\nD;9;19;28;9;12;21\n",
	} {
		r := readText(t, text+shares, Options{})
		if len(r.Tables) != 1 || len(r.Tables[0].Derived) != 15 {
			t.Errorf("%s: %d tables, %d shares", name, len(r.Tables), len(r.Tables[0].Derived))
		}
	}
}

// TestShareInLanguages: few numbers are shares where their heading says so, in other languages too.
func TestShareInLanguages(t *testing.T) {
	t.Parallel()
	for _, head := range []string{"Pct.", "Andel", "Udział", "Podíl", "Megoszlás", "구성비", "Porcentaje"} {
		r := readText(t, "Kommune;0-39;"+head+";40-;"+head+"\nA;3;23.1;2;40\nB;5;38.5;1;20\nC;1;7.7;-;0\nD;4;30.8;2;40\nI alt;13;100;5;100\n", Options{})
		if len(r.Tables) != 1 || len(r.Tables[0].Derived) != 10 {
			t.Errorf("%s: %d tables, %d shares", head, len(r.Tables), len(r.Tables[0].Derived))
		}
	}
}

// TestChangeOrShare: a lone 100 below a heading of changes is a share of itself as well, and tells of the sources of both.
func TestChangeOrShare(t *testing.T) {
	t.Parallel()
	const text = "Ort;2018;2019;2020;Veränderung in %\nLand;12;5;10;100\nNord;7;0;2;-\nAltdorf;3;0;0;-\nBergen;4;0;2;-\n"
	s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{NoTotal: []string{"Ort"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Reading.Tables[0].Derived {
		if d.Ref == "2:5" && slices.ContainsFunc(d.Of, func(c []string) bool { return slices.Contains(c, "2020") }) {
			return
		}
	}
	t.Errorf("the change tells nothing of 2020: %v", s.Reading.Tables[0].Derived)
}

// TestNoOwnSource: a balance that fits some formula with a number of its own column is the difference of two others all the same.
func TestNoOwnSource(t *testing.T) {
	t.Parallel()
	b := sheetOf("Ort|Insgesamt|ledig|verheiratet|verwitwet|geschieden|Saldo\n Altdorf|7|2|3|0|2|0\n Bergen|6|0|3|0|3|-3\nInsgesamt|13|2|6|0|5|-3\n\n\nIn Bergen waren es 0 Personen (verwitwet).\n\n Altdorf|7|2|3|0|2|0")
	b.Grids[0].HiddenRows = map[int]bool{8: true}
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := sets.Count(r.Tables[0].Derived, func(d Derived) bool { return d.How == asDifference })
	if n < 3 {
		t.Errorf("%d balances are known to be computed: %v", n, r.Tables[0].Derived)
	}
}

// TestPartOfOne: a number that is a part of one other number, as an average is of the total, is no share of a number of itself, of
// which only 100 per cent tells nothing.
func TestPartOfOne(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("地域,未婚,有配偶,死別,離別,総数\n北浜市,3,2,-,8,13\n松原市,11,7,2,2,22\n計,14,9,2,10,35\n平均,7,4.5,1,5,17.5\n"), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range s.Reading.Tables[0].Derived {
		if d.itself || len(d.Of) == 0 {
			t.Errorf("%s tells of %v, share of itself: %v", d.Ref, d.Of, d.itself)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d derived numbers: %v", n, s.Reading.Words())
	}
}

// TestSourceNowhere: a chunk without a number that is not computed has no largest number to be a share of.
func TestSourceNowhere(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	percent, err := f.NewStyle(&excelize.Style{NumFmt: 10})
	if err != nil {
		t.Fatal(err)
	}
	for r, row := range [][]any{
		{"Tableau 1. Personnes par commune"}, {}, {nil, "Situation"},
		{"Commune", "Célibataires", "Mariés", "Ensemble", "Superficie", "Densité", "cumul Mariés", "Enfants", "Enfants par personne"},
		{"Ensemble", 36, "(D)", 67, 68, 0.456, 67, 75, 2.1}, {"en %", 1, 1, 1},
		{"　Aubigny", 22, 0, 22, 77, 0, 22, 85, 3.9}, {"en %", 22. / 36, 0, 22. / 67},
		{"　Belmont", 14, "(D)", 45, 37, 0.838, 45, 48, 3.4}, {"en %", 14. / 36, 1, 45. / 67},
		{"Source : recensement 2020."},
	} {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", r+1), &row); err != nil {
			t.Fatal(err)
		}
		if len(row) == 4 {
			if err := f.SetCellStyle("Sheet1", fmt.Sprintf("B%d", r+1), fmt.Sprintf("D%d", r+1), percent); err != nil {
				t.Fatal(err)
			}
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(b, "t.xlsx", "", "", Options{}); err != nil {
		t.Error(err)
	}
}

// TestPanelOfShares: shares and index numbers in a panel below the same header are computed from the panel above, with
// marks for what cannot be.
func TestPanelOfShares(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rows, want string }{
		{"Area|Men|Women|All\nCases\nAdair|23|41|64\nBoone|12|19|31\nClay|0|29|29\nTotal|35|89|124\nShare\nAdair|35.9|64.1|100.0\nBoone|38.7|61.3|100.0\nClay|0.0|100.0|100.0\nTotal|28.2|71.8|100.0", "12 12"},
		{"Area|Sex|2008|2009|2010\n|||Cases\nAdair|All|16|4|13\n|Men|7|4|3\n|Women|9|0|10\nBoone|All|17|15|17\n|Men|10|7|8\n|Women|7|8|9\n|||Index\nAdair|All|100.0|25.0|81.2\n|Men|100.0|57.1|42.9\n|Women|100.0|0.0|111.1\nBoone|All|100.0|88.2|100.0\n|Men|100.0|70.0|80.0\n|Women|100.0|114.3|128.6", "18 18"},
		{"Kinds\nArea|2007|2006|2005\nAll|25|22|16\nAdair|8|9|7\nBoone|9|7|7\nClay|8|4|2\nDover|–|2|–\n\nIndex\nArea|2007|2006|2005\nAll|156.3|137.5|100.0\nAdair|114.3|128.6|100.0\nBoone|128.6|100.0|100.0\nClay|400.0|200.0|100.0\nDover|…|…|…", "15 12"},
	} {
		r, err := find(sheetOf(test.rows), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(len(r.Tables[0].Cells), " ", len(r.Tables[0].Derived)); len(r.Tables) != 1 || got != test.want {
			t.Errorf("%s cells and derived numbers, want %s: %v", got, test.want, r.Words())
		}
	}
}
