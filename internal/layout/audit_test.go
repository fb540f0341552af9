package layout

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// The numbers that a workbook has outside its cells are counted, and so are those that are gone from its copy.
func TestCopiedAround(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	for n, row := range [][]any{{"Area", "Men", "Women", "Total"}, {"Adair", 2, 31, 33}, {"Boone", 40, 52, 92}, {"Clay", 17, 64, 81}, {"Total", 59, 147, 206}, {}, {"Note: the Women of Boone are 25.2 % of all."}} {
		at, _ := excelize.CoordinatesToCellName(1, n+1)
		if err := f.SetSheetRow("Sheet1", at, &row); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		f.SetDocProps(&excelize.DocProperties{Description: "Adair, Men: 2", Subject: "Table 4"}),
		f.SetCustomProps(excelize.CustomProperty{Name: "Remark", Value: "Men of Adair: 6.1 %"}),
		f.SetHeaderFooter("Sheet1", &excelize.HeaderFooterOptions{OddFooter: "&LClay, 81 in all"}),
		f.AddChart("Sheet1", "H2", &excelize.Chart{Type: excelize.Col, Series: []excelize.ChartSeries{{Name: "x", Values: "Sheet1!$B$2:$B$4"}}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var raw bytes.Buffer
	if err := f.Write(&raw); err != nil {
		t.Fatal(err)
	}
	p, err := ooxml.Open(raw.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	chart, err := p.Read("xl/charts/chart1.xml")
	if err != nil {
		t.Fatal(err)
	}
	ref := "<f>Sheet1!$B$2:$B$4</f>"
	if !bytes.Contains(chart, []byte(ref)) {
		t.Fatalf("%s", chart)
	}
	p.Set("xl/charts/chart1.xml", bytes.Replace(chart, []byte(ref), []byte(ref+`<numCache><ptCount val="3"/><pt idx="0"><v>2</v></pt><pt idx="1"><v>40</v></pt><pt idx="2"><v>17</v></pt></numCache>`), 1))
	var book bytes.Buffer
	if err := p.Write(&book); err != nil {
		t.Fatal(err)
	}
	s, err := Open(bytes.NewReader(book.Bytes()), "t.xlsx", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	account := s.Account(nil)
	if got, want := fmt.Sprint(account.Words()), "20 numbers: 12 values, 5 in texts, 3 points of charts; none unknown"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		name := in.Table.CellName(i)
		pattern[i] = !strings.Contains(name, "Total") && !strings.Contains(name, "Clay")
	}
	var out bytes.Buffer
	if err := formats.Write(&out, in, pattern); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(Copied(in).Words()), "1 of 1 tables, 20 numbers, 4 withheld, 5 blanked"; got != want { // two points, the note and two properties
		t.Errorf("%s, want %s", got, want)
	}
}

// An amount that looks like a year or a day is no period where the numbers above and below it are none.
func TestNoPeriods(t *testing.T) {
	t.Parallel()
	for last, unknown := range map[string]int{"70.9|293.1|2069.2|1985|119.7": 5, "2016|2019|2020|2021|2022": 0} {
		n := strings.Split(last, "|")
		book := sheetOf("\nArea|2018|2019|2019 (index)\nAdair|36|26|" + n[0] + "\nBoone|3|8|" + n[1] + "\nHarlan|1|27|" + n[2] + "\nFloyd|13|3|" + n[3] + "\nTotal|53|64|" + n[4])
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := (&Source{Reading: r, grids: book.Grids}).Account(nil)
		if len(a.Unknown) != unknown {
			t.Errorf("%s: %s; %v", last, a.Words(), r.Aside)
		}
	}
}

// TestNoYearAmongRates: a rate that looks like a year or a month is none where the others of its row do not. All of a row that somebody calls computed may tell of
// the cells above and of totals.
func TestNoYearAmongRates(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Status,Total,Adair,Boone\nSingle,11,9,2\nMarried,1,-,1\nWidowed,11,11,-\nDivorced,4,3,1\nTotal,27,23,4\nSingle per 1000 divorced,2750.0,3000.0,2000.0\n"), "t.csv", "", "", Options{Derived: []string{"Single per 1000 divorced"}})
	if err != nil {
		t.Fatal(err)
	}
	if a, told := s.Account(nil), s.Reading.Tables[0].Derived; len(a.Unknown) > 0 || len(told) != 3 || len(told[2].Of) != 10 {
		t.Errorf("%s, %v", a.Words(), told)
	}
}

// TestNoList: the numbers of a sheet with two columns of them are no labels of each other, though the digits of one stand in the name of a period.
func TestNoList(t *testing.T) {
	t.Parallel()
	if agree([]string{"adair", "2"}, []string{"adair\x00adair", "2020\x002020"}) || !agree([]string{"adair", "2020"}, []string{"adair\x00adair", "12020\x0012020"}) {
		t.Error("digits agree with a part of a number, or not with the number")
	}
}

// TestStaysTelling: what tells a withheld cell is named by the flag that takes it out.
func TestStaysTelling(t *testing.T) {
	t.Parallel()
	if got, want := staysTelling("My list!E86").String(), `(--blank "My list!E86")`; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s at its end", got, want)
	}
}
