package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestSheetOfRates reads sheets of deaths and of persons, none of which is less, and of the deaths for each thousand: one table of two measures, of
// which the third sheet is computed.
func TestSheetOfRates(t *testing.T) {
	t.Parallel()
	deaths := [][]int{{12, 7, 31}, {25, 18, 44}, {9, 15, 23}}
	persons := [][]int{{1510, 930, 4017}, {2903, 2011, 5120}, {1204, 1777, 2650}}
	lines := func(cell func(r, c int) string) string {
		s := "Persons by area and class\nArea|low|middle|high|Total\n"
		for r := range 4 {
			s += []string{"North", "South", "West", "Total"}[r]
			for c := range 4 {
				s += "|" + cell(r, c)
			}
			s += "\n"
		}
		return s
	}
	sum := func(of [][]int, r, c int) (n int) {
		for i := range of {
			for j := range of[i] {
				if (r == 3 || r == i) && (c == 3 || c == j) {
					n += of[i][j]
				}
			}
		}
		return n
	}
	b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
	add := func(name string, cell func(r, c int) string) {
		g := sheetOf(lines(cell)).Grids[0]
		g.Sheet = name
		b.Grids = append(b.Grids, g)
	}
	add("Deaths", func(r, c int) string { return fmt.Sprint(sum(deaths, r, c)) })
	add("Persons", func(r, c int) string { return fmt.Sprint(sum(persons, r, c)) })
	add("per thousand", func(r, c int) string {
		return fmt.Sprintf("%.1f", 1000*float64(sum(deaths, r, c))/float64(sum(persons, r, c)))
	})
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 32 || len(r.Tables[0].Derived) != 16 {
		t.Errorf("%d tables, want one of 32 cells and 16 computed numbers: %v", len(r.Tables), r.Words())
	}
}

// TestSheetOfWholeShares reads a sheet of counts and one of whole per cents that nothing calls so, of the like column below the outer total, and of the
// total column below the same outer head: the shares are computed, not a second code of a classification.
func TestSheetOfWholeShares(t *testing.T) {
	t.Parallel()
	inner := [][]int{{143, 486, 312, 208, 320, 34}, {186, 84, 114, 325, 149, 356}, {446, 445, 376, 340, 96, 325}}
	value := func(r, group, side int) (n int) {
		for i := range inner {
			for j, v := range inner[i] {
				if (r == 3 || r == i) && (group == 3 || group == j/2) && (side == 2 || side == j%2) {
					n += v
				}
			}
		}
		return n
	}
	for name, whole := range map[string]func(group, side int) (int, int){
		"of the outer total": func(_, side int) (int, int) { return 3, side },
		"of the inner total": func(group, _ int) (int, int) { return group, 2 },
	} {
		b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
		add := func(sheet string, cell func(r, group, side int) int) {
			text := "Persons by area\n"
			for c := range 12 {
				text += "|" + []string{"1 to 4", "5 to 9", "10 to 19", "Total"}[c/3]
			}
			text += "\nArea"
			for c := range 12 {
				text += "|" + []string{"Public", "Private", "Both"}[c%3]
			}
			for r := range 4 {
				text += "\n" + []string{"North", "South", "West", "Total"}[r]
				for c := range 12 {
					text += fmt.Sprint("|", cell(r, c/3, c%3))
				}
			}
			g := sheetOf(text).Grids[0]
			g.Sheet = sheet
			b.Grids = append(b.Grids, g)
		}
		add("Data", value)
		add("Parts", func(r, group, side int) int {
			g, s := whole(group, side)
			return int(math.Round(100 * float64(value(r, group, side)) / float64(value(3, g, s))))
		})
		r, err := find(b, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 48 || len(r.Tables[0].Derived) != 48 {
			t.Errorf("%s: %d tables, want one of 48 cells and 48 computed numbers: %v", name, len(r.Tables), r.Words())
		}
	}
}

// TestSheetsOfAreas reads a sheet for each area, group and all, of which one column has changes: a part is as well the difference of others, and none of
// the sheets is taken for computed.
func TestSheetsOfAreas(t *testing.T) {
	t.Parallel()
	years := map[string][3][4]int{ // of each area: 2018, 2019, 2020 by offence
		"Alt": {{1, 9, 44, 54}, {3, 4, 30, 19}, {3, 20, 58, 23}}, "Berg": {{54, 57, 3, 39}, {41, 1, 34, 1}, {4, 3, 0, 11}},
		"Dorf": {{33, 30, 53, 59}, {10, 2, 3, 40}, {13, 3, 0, 2}}, "Esch": {{49, 20, 10, 32}, {25, 40, 3, 1}, {3, 52, 23, 2}},
	}
	of := map[string][]string{"North": {"Alt", "Berg"}, "South": {"Dorf", "Esch"}, "Total": {"Alt", "Berg", "Dorf", "Esch"}}
	b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
	for _, sheet := range []string{"North", "Alt", "Berg", "South", "Dorf", "Esch", "Total"} {
		areas := append([]string{}, of[sheet]...)
		if len(areas) == 0 {
			areas = []string{sheet}
		}
		text := "Offences\nOffence|2018|2019|2020|Change"
		for r := range 5 {
			text += "\n" + []string{"All", "Theft", "Fraud", "Arson", "Other"}[r]
			var v [3]int
			for y := range v {
				for _, a := range areas {
					for k, n := range years[a][y] {
						if r == 0 || r == k+1 {
							v[y] += n
						}
					}
				}
				text += fmt.Sprint("|", v[y])
			}
			text += fmt.Sprint("|", v[2]-v[1])
		}
		g := sheetOf(text).Grids[0]
		g.Sheet = sheet
		b.Grids = append(b.Grids, g)
	}
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 7*15 || len(r.Tables[0].Derived) != 7*5 {
		t.Errorf("%d tables, want one of 105 cells and 35 changes: %v", len(r.Tables), r.Words())
	}
}

// TestPartAboveChange reads areas beside each other above a row of changes, one of which is below 0: the area is a part, not the difference of two.
func TestPartAboveChange(t *testing.T) {
	t.Parallel()
	b := sheetOf("Persons by area\nYear|Total|20 North|30 Alt|40 Berg|50 Celle|60 South|70 Dorf|80 Esch|90 West|100 Fulda|110 Gera|120 Hamm\n" +
		"2018|235|80|0|30|50|80|55|25|75|3|17|55\n2019|92|22|6|4|12|29|2|27|41|27|1|13\n2020|218|101|17|54|30|51|1|50|66|40|2|24\nChange|126|79|11|50|18|22|-1|23|25|13|1|11\n")
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 36 || len(r.Tables[0].Derived) != 12 {
		t.Errorf("%d tables, want one of 36 cells and 12 changes: %v", len(r.Tables), r.Words())
	}
}

// TestManyDecimals: which rows of decimals are computed from others is looked up, not tried with every pair.
func TestManyDecimals(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("Year,Week,Rate,Index\n")
	for i := range 4000 {
		fmt.Fprintf(&text, "%d,%d,%d.%03d,%d.%02d\n", 2000+i/52, i%52+1, i*7919%97+1, i*104729%997, i*31%89+90, i*193%97)
	}
	s := &surveyor{found: map[fieldAt]*computed{}}
	o, err := Open(strings.NewReader(text.String()), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := numbersOf(o.grids[0], &numberStyle{Decimal: '.'})
	n.found = s.found
	for _, p := range n.parts {
		s.lines(n, p.rowLines(), 3)
	}
	if most := 4000 * 1000; s.looked == 0 || s.looked > most { // of 4000 · 4000 · 6
		t.Errorf("%d lines and numbers looked at, want at most %d", s.looked, most)
	}
}

// TestTotalInNoSum asks about a code that is called a total where others add up and it is in no sum: it may be one that was rounded by itself, or whose
// parts stand apart.
func TestTotalInNoSum(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"with a code": "Sex,Code,Area,Theft,Fraud\nMale,10,A,15319,29910\nMale,11,B,30073,19675\nMale,12,Total,45392,49585\nMale,13,C,33506,52701\nMale,14,D,4,1\nMale,15,Total,33509,52702\nFemale,10,A,5436,45775\nFemale,11,B,45165,50909\nFemale,12,Total,50601,96684\nFemale,13,C,1,2\nFemale,14,D,58897,51585\nFemale,15,Total,58898,51587\n",
	} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Input(formats.Options{}); err == nil || !strings.Contains(err.Error(), "is the sum of its parts in") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWeightedContributors counts those of a sample, of which each stands for more than one, as far as they are whole.
func TestWeightedContributors(t *testing.T) {
	t.Parallel()
	text := "Area,Enterprises,Turnover\n"
	for i, n := range []string{"2.3", "0.6", "3.8", "14", "0"} {
		text += fmt.Sprintf("%c,%s,%d\n", 'A'+i, n, 1000+317*i)
	}
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{Freq: "Enterprises"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{Response: "Turnover", Columns: map[string]string{"freq": "Enterprises"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{2, 1, 3, 14, 0}; !slices.Equal(in.Table.Freq, want) {
		t.Errorf("%v contributors, want %v", in.Table.Freq, want)
	}
}

// TestDays: numbers that a workbook shows as dates are periods, which add up to nothing.
func TestDays(t *testing.T) {
	t.Parallel()
	b := sheetOf("Date of death|Men|Women|All\n44087|3|5|8\n44088|9|2|11\n44089|12|7|19\n44090|4|4|8")
	for r := 1; r < 5; r++ {
		b.Grids[0].Rows[r][0].Style = &Style{Date: true}
	}
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Tables[0].Dimensions[0]; d.Role != ofTime || d.Additive {
		t.Errorf("%+v", d)
	}
}

// TestFlagBesideNothing: a flag in its own column beside a value that is not there says why.
func TestFlagBesideNothing(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Area|2019|Flag|2020|Flag\nNorth|12||30|\nSouth||c|17|p\nWest|24||2|\nEast|9|||c\nTotal|52||60|"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 10 {
		t.Fatal(r.Words())
	}
	for _, c := range r.Tables[0].Cells {
		if where := c.Ref == "B3" || c.Ref == "D5"; where != (c.Means == Suppressed) || where && *c.Mark != "c" {
			t.Errorf("%+v", c)
		}
	}
}

// TestSheetBetweenYears: a sheet without a year that is the difference of two sheets of years is no third part, whatever it is called and though nothing
// in it, or one number, is below 0; where it has a year as well, or the others have none, it is the part of a total.
func TestSheetBetweenYears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names   [3]string
		derived int
	}{
		{[3]string{"2015", "2016", "Verschil"}, 16}, {[3]string{"1 令和3年", "2 令和4年", "差し引き"}, 16}, {[3]string{"2015", "2016", "2017"}, 0}, {[3]string{"Mannen", "Totaal", "Vrouwen"}, 0},
	} {
		b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
		for s, name := range c.names {
			text := "Personen naar kring en klasse\nKring|laag|midden|hoog|Totaal\n"
			var sums [4]int
			for i, kring := range []string{"Almen", "Bunnik", "Cuijk"} {
				text += kring
				all := 0
				for j := range 3 {
					v := []int{11 + 7*i + 5*j*j, 23 + 19*i + 6*j*j + 13*i*j, 0}
					v[2] = v[1] - v[0]
					all += v[s]
					sums[j] += v[s]
					text += fmt.Sprintf("|%d", v[s])
				}
				sums[3] += all
				text += fmt.Sprintf("|%d\n", all)
			}
			g := sheetOf(text + fmt.Sprintf("Totaal|%d|%d|%d|%d\n", sums[0], sums[1], sums[2], sums[3])).Grids[0]
			g.Sheet = name
			b.Grids = append(b.Grids, g)
		}
		r, err := find(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Tables[0].Derived); got != c.derived {
			t.Errorf("%v: %d computed numbers, want %d: %v", c.names, got, c.derived, r.Words())
		}
	}
}

// TestSheetsOfOneTitle: sheets of the sexes that have one title, with a year at its end, are one table; what they are called is no unit.
func TestSheetsOfOneTitle(t *testing.T) {
	t.Parallel()
	const title = "1.2 Iscritti per Comune e Classe di età - Anno 2023"
	for _, above := range [][3]string{{}, {title + " – Totale\n", title + "\n", title + "\n"}, {"総数\n", "男\n", "女\n"}, {"（単位：件）\n", "男\n", "女\n"}, {"総数\n", "件\n", "女\n"}, {"", "（単位：件）\n男\n", "女\n"}} {
		b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
		for k, sex := range []string{"総数", "男", "女"} {
			n := []int{3, 1, 2}[k]
			text := "第7表　区別件数　2022年\n" + above[k] + "区|総数|運輸業|卸売業\n"
			if strings.Contains(above[k], title) {
				text = above[k] + "区|総数|運輸業|卸売業\n"
			}
			for _, row := range []struct {
				name string
				a, b int
			}{{"市計", 86, 45}, {"緑区", 6, 5}, {"中央区", 46, 31}, {"北区", 34, 9}} {
				text += fmt.Sprintf("%s|%d|%d|%d\n", row.name, n*(row.a+row.b), n*row.a, n*row.b)
			}
			g := sheetOf(text).Grids[0]
			g.Sheet = sex
			b.Grids = append(b.Grids, g)
		}
		r, err := find(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Tables) != 1 || !strings.Contains(forestOf(r.Tables[0]), "総数 男<総数 女<総数") {
			t.Errorf("%q: %v", above, r.Words())
		}
	}
}

// TestSheetByNumber reads two sheets that differ by their names alone: a text may call the second otherwise, and its share tells a cell all the same.
func TestSheetByNumber(t *testing.T) {
	t.Parallel()
	b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
	for sheet, cells := range map[string]string{"Public": "Total|10|9|19\nAdair|7|4|11\nBoone|3|5|8", "T2": "Total|7|15|22\nAdair|6|3|9\nBoone|1|12|13\n\nBoone, Men, private: 9.1 %"} {
		g := sheetOf("Schools\nArea|Men|Women|Both\n" + cells).Grids[0]
		g.Sheet = sheet
		b.Grids = append(b.Grids, g)
	}
	slices.SortFunc(b.Grids, func(x, y *Grid) int { return strings.Compare(x.Sheet, y.Sheet) })
	s, err := (&Source{grids: b.Grids}).read(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if told := s.toldTogether(s.Reading.Tables[0]); len(told) != 1 || !slices.Contains(told[0].of, "B5") {
		t.Errorf("%v, want the share that tells Boone's men", told)
	}
}

// TestToldMeasure: a text that names a cell but for its measure tells it all the same.
func TestToldMeasure(t *testing.T) {
	t.Parallel()
	value := Decimal("40")
	all := "All"
	table := &Table{
		Dimensions: []Dimension{
			{Name: "Measure", Role: Measure, Codes: []Code{{Code: "Firms"}, {Code: "Employees"}}},
			{Name: "Area", Codes: []Code{{Code: all}, {Code: "1", Label: "Lorne", Parent: &all}, {Code: "2", Label: "Inverby", Parent: &all}}},
		},
		Cells: []Cell{{Codes: []string{"Employees", "1"}, Value: &value, Ref: "B2"}},
	}
	if got := table.labels()(&table.Cells[0]); !slices.Equal(got, []string{"Lorne"}) {
		t.Errorf("labels %q, want Lorne alone", got)
	}
	k := &accountant{s: &Source{}, byValue: map[string][]toldCell{}}
	if k.tell(table); len(k.byValue["40"]) != 1 || !slices.Equal(k.byValue["40"][0].labels, []string{"Lorne"}) {
		t.Errorf("%v, want Lorne's number without its measure", k.byValue)
	}
}

// TestContents: the numbers of lines in a list of sheets are equal to cells by chance, while a single number of another sheet may repeat one.
func TestContents(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]int{"Contents of the yearbook\n1|Table\n": 0, "Contents\n1|Persons\n2|Households\n": 0, "Contents\n1|2023\n": 0, "Contents\n1|Hoja1\n": 0, "Office\n1|North\n": 1, "1\n": 1} {
		b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
		for k, text := range []string{list, "Area|Men|Women|Total\nNorth|12|1|13\nSouth|31|25|56\nAll|43|26|69\n"} {
			g := sheetOf(text).Grids[0]
			g.Sheet = []string{"Contents", "Table"}[k]
			if _, name, ok := strings.Cut(list, "1|"); k == 1 && ok && want == 0 && !strings.Contains(name, "2|") {
				g.Sheet = strings.TrimSpace(name)
			}
			b.Grids = append(b.Grids, g)
		}
		r, err := find(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &Source{Reading: r, grids: b.Grids}
		if a := s.Account(nil); len(a.copies) != want {
			t.Errorf("%q: %d copies, want %d", list, len(a.copies), want)
		} else if want == 0 && a.Unknown != nil {
			t.Errorf("%q: unknown %v", list, a.Unknown)
		}
	}
}

// TestSharesOfLikeRows: the share of a number may be of the total in the row with its inner label and the column with its inner heading.
func TestSharesOfLikeRows(t *testing.T) {
	t.Parallel()
	counts := [2][4][8]int{{{12, 57, 7, 31, 25, 118}, {44, 109, 9, 15, 23, 88}, {31, 86, 5, 19, 8, 61}}, {{8, 43, 17, 29, 5, 90}, {3, 21, 14, 77, 33, 101}, {26, 99, 2, 48, 13, 36}}}
	lines := func(cell func(x, r, c int) string) string {
		s := "Firms and persons by area, sex and class\nArea|Sex|low||middle||high||Total|\n||Firms|Persons|Firms|Persons|Firms|Persons|Firms|Persons\n"
		for r := range 4 {
			for x, sex := range []string{"Men", "Women"} {
				s += []string{"North", "South", "West", "Total"}[r] + "|" + sex
				for c := range 8 {
					s += "|" + cell(x, r, c)
				}
				s += "\n"
			}
		}
		return s
	}
	value := func(x, r, c int) (n int) {
		for i := range 3 {
			for j := range 6 {
				if (r == 3 || r == i) && j%2 == c%2 && (c > 5 || c == j) {
					n += counts[x][i][j]
				}
			}
		}
		return n
	}
	b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
	for k, text := range []string{
		lines(func(x, r, c int) string { return fmt.Sprint(value(x, r, c)) }),
		lines(func(x, r, c int) string {
			return fmt.Sprintf("%.1f", 100*float64(value(x, r, c))/float64(value(x, 3, 6+c%2)))
		}),
	} {
		g := sheetOf(text).Grids[0]
		g.Sheet = []string{"Counts", "Shares"}[k]
		b.Grids = append(b.Grids, g)
	}
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 64 || len(r.Tables[0].Derived) != 64 {
		t.Errorf("want one table of 64 cells and 64 shares: %v", r.Words())
	}
}

// TestTitledPanels: a line like a title between a header and its rows, and again between rows, names the panels below.
func TestTitledPanels(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("第5表 地域別世帯の状況\n\n|合計|1～4人|5人以上\n地域別世帯の状況 2013年\n青木|40|13|27\n石倉|16|9|7\n県計|56|22|34\n\n地域別世帯の状況 2014年\n青木|42|11|31\n石倉|15|6|9\n県計|57|17|40"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if table := r.Tables[0]; len(r.Tables) != 1 || len(table.Cells) != 18 || len(table.Dimensions) != 3 {
		t.Errorf("%d tables, %v", len(r.Tables), r.Words())
	}
}

// TestPanelsNamedAcross: a text over a header that stands again below another names the panel below it, whether it is
// centred or merged over all columns, and so does what titles have beside the numbers of their tables.
func TestPanelsNamedAcross(t *testing.T) {
	t.Parallel()
	header := []string{"Area|Trade|Transport|Hela länet\nAlvik|188|287|475\nDalby|196|85|281\nTotalt|384|372|756\n", "Area|Trade|Transport|Hela länet\nAlvik|301|402|703\nDalby|215|97|312\nTotalt|516|499|1015\n"}
	centred := sheetOf("Tabell 5\n||Units\n" + header[0] + "||Persons\n" + header[1])
	merged := sheetOf("Tabell 5\nUnits\n" + header[0] + "Persons\n" + header[1])
	merged.Grids[0].Merged = []Rect{{1, 0, 1, 3}, {6, 0, 6, 3}}
	sheets := sheetOf("Tabell 5 Kommun – Units\n" + header[0])
	more := sheetOf("Tabell 6 Kommun – Persons\n" + header[1]).Grids[0]
	sheets.Grids[0].Sheet, more.Sheet = "Tabell 1", "Tabell 2"
	sheets.Grids = append(sheets.Grids, more)
	titled := sheetOf("Tabell 5 Kommun efter Kommun Kommun\nAntal\nKommun efter Units\n" + header[0] + "Kommun efter Persons\n" + header[1])
	for name, b := range map[string]*Book{"titled": titled, "centred": centred, "merged": merged, "sheets": sheets} {
		r, err := find(b, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c := r.Tables[0].Dimensions[0].Codes; len(r.Tables) != 1 || len(r.Tables[0].Cells) != 18 || len(c) != 2 || !strings.HasSuffix(c[0].Label, "Units") || !strings.HasSuffix(c[1].Label, "Persons") {
			t.Errorf("%s: %v", name, r.Words())
		}
	}
}

// TestCodesBesideOne: blocks side by side with the same rows are of one table where only one of them has their codes.
func TestCodesBesideOne(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Code|Area|Firms||||Area|Staff\n||Trade|Transport|All|||Trade|Transport|All\n109|Alvik|188|287|475||Alvik|301|402|703\n118|Dalby|196|85|281||Dalby|215|97|312\n119|Total|384|372|756||Total|516|499|1015"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 18 || len(r.Tables[0].Dimensions) != 3 {
		t.Error(r.Words())
	}
}
