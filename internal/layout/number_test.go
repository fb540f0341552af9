package layout

import "testing"

func TestNumberStyle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		decimal          byte
		thousands        string
		text             string
		value            Decimal
		mark, flag, unit string
	}{
		{'.', ",", "20,488", "20488", "", "", ""}, {'.', ",", "1,234.50", "1234.50", "", "", ""}, {'.', "", "007", "7", "", "", ""},
		{',', ".", "1.234,5", "1234.5", "", "", ""}, {',', "", "24,8", "24.8", "", "", ""}, {',', "", "224,0", "224.0", "", "", ""},
		{',', " ", "1 234,5", "1234.5", "", "", ""}, {',', " ", "1\u202f234\u202f567", "1234567", "", "", ""}, {'.', "'", "12’345", "12345", "", "", ""},
		{'.', ",", "１，２３４", "1234", "", "", ""}, {'.', ",", "▲1,234", "-1234", "", "", ""}, {'.', ",", "△ 3.5", "-3.5", "", "", ""}, {'.', "", "−7", "-7", "", "", ""},
		{'.', "", "(123)", "-123", "", "", ""}, {'.', "", "27.7 p", "27.7", "", "p", ""}, {'.', "", "123 e", "123", "", "e", ""}, {'.', "", "15r", "15", "", "r", ""},
		{'.', "", "6183 bu ", "6183", "", "bu", ""}, {'.', ",", "1,234人", "1234", "", "", "人"}, {'.', "", "12.3%", "12.3", "", "", "%"}, {'.', "", "r 105.2", "105.2", "", "r", ""},
		{'.', "", "r102.3", "102.3", "", "r", ""}, {'.', ",", "~2,566", "2566", "", "~", ""}, {'.', "", "約5", "5", "", "約", ""}, {'.', ",", "p1,234", "1234", "", "p", ""}, {'.', "", "p123", "123", "", "p", ""},
		{'.', "", "12 1)", "12", "", "1)", ""}, {'.', "", "12¹", "12", "", "¹", ""}, {'.', "", "12 [note 3]", "12", "", "[note 3]", ""}, {'.', "", "5E", "5", "", "E", ""}, {'.', "", "12*)", "12", "", "*)", ""}, {'.', "", "12 †)", "12", "", "†)", ""}, {'.', "", "7a)", "7", "", "a)", ""}, {'.', "", "◇620", "620", "", "◇", ""}, {'.', "", "● 7", "7", "", "●", ""},
		{'.', ",", "$1,000", "1000", "", "", "$"}, {'.', "", "-", "0", "-", "", ""}, {'.', "", "1.5e3", "1500", "", "", ""},
		{'.', "", "4.2490000000000006", "4.249000000000000", "", "", ""}, {',', "", "-0,34099999999999997", "-0.340999999999999", "", "", ""}, {'.', "", "5.3e-17", "0.000000000000000", "", "", ""}, {'.', "", "1.2345678901234567e-05", "0.000012345678901", "", "", ""},
	} {
		s := numberStyle{Decimal: c.decimal, Thousands: c.thousands}
		w := s.read(c.text)
		if !w.OK || w.Value == nil || *w.Value != c.value || w.Mark != c.mark || w.Flag != c.flag || w.Unit != c.unit {
			v := Decimal("none")
			if w.Value != nil {
				v = *w.Value
			}
			t.Errorf("%q: %s mark %q flag %q unit %q, want %s %q %q %q", c.text, v, w.Mark, w.Flag, w.Unit, c.value, c.mark, c.flag, c.unit)
		}
	}
	s := numberStyle{Decimal: '.'}
	for _, text := range []string{"p10", "e2", "[2]", "6 pers."} {
		if w := s.read(text); !w.OK || !w.Odd {
			t.Errorf("%q: read as %+v, want a number beside others only", text, w)
		}
	}
	for _, text := range []string{"", " ", "Total", "10-19", "1 to 4", "2021年", "１～４人", "WZ08-10", "E12000004", "P1", "R6", "E105", "2024-01-02", "12:30", "1.2.3", "1,234", "65歳以上", "0-9", "p", "12 of 13", "2e trim.", "1er trim.", "4. Quartal", "..5"} {
		if w := s.read(text); w.OK {
			t.Errorf("%q: read as %+v", text, w)
		}
	}
}

func TestNumberForms(t *testing.T) {
	t.Parallel()
	type style = struct {
		decimal   byte
		thousands string
	}
	for _, c := range []struct {
		separator byte
		texts     []string
		want      []style
	}{
		{',', []string{"20,488", "510", "7"}, []style{{'.', ","}}},
		{';', []string{"556,3", "10037,3", "9"}, []style{{',', ""}}},
		{';', []string{"1.234,5", "2"}, []style{{',', "."}}},
		{';', []string{"1.234", "56"}, []style{{',', "."}, {'.', ""}}},
		{'\t', []string{"1234.5", "2"}, []style{{'.', ""}}},
		{'\t', []string{"1,234", "2,345", "20,111"}, []style{{',', ""}, {'.', ","}}},
		{0, []string{"1 234", "567,8"}, []style{{',', " "}}},
		{',', []string{"1,234,567", "2,345"}, []style{{'.', ","}}},
		{',', []string{"12", "3456"}, []style{{'.', ""}}},
		{';', []string{"1.234", "0.567"}, []style{{'.', ""}}},
	} {
		var f numberForms
		for _, s := range c.texts {
			f.add(s)
		}
		var got []style
		for _, s := range f.styles(c.separator) {
			got = append(got, style{s.Decimal, s.Thousands})
		}
		if len(got) != len(c.want) || got[0] != c.want[0] || len(got) > 1 && got[1] != c.want[1] {
			t.Errorf("%q %q: %v, want %v", c.separator, c.texts, got, c.want)
		}
	}
}

// TestGroupsInWorkbook reads texts of a workbook with a point between thousands, by the whole numbers beside them or by their sums, a header of years or not.
func TestGroupsInWorkbook(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Decimal{
		"x\nComune|Nord|Sud|Totale\nAlba|1.848|52|1.900\nBra|412|1.207|1.619\nTotale|2.260|1.259|3.519\n":        "1848",
		"x\nComune|2019|2020\nAlba|1.848|1.052\nBra|1.412|1.207\nTotale|3.260|2.259\n":                           "1.848", // either, and no number tells which
		"x\nComune|2019|2020\nAlba|1.848|952\nBra|412|1.207\nTotale|2.260|2.159\n":                               "1848",
		"x\nComune|Nord|Sud|Totale\nAlba|1.848|0.052|1.900\nBra|0.412|1.207|1.619\nTotale|2.260|1.259|3.519\n":   "1.848",
		"x\nComune|Nord|Sud|Totale\nAlba|1.848|52.5|54.348\nBra|0.412|1.207|1.619\nTotale|2.260|53.707|55.967\n": "1.848",
		"x\nComune|Nord|Sud|Totale\nAlba|1.848|1,5|1.849,5\nBra|412|1.207|1.619\nTotale|2.260|1.208,5|3.468,5\n": "1848",
	} {
		b := sheetOf(text)
		for _, row := range b.Grids[0].Rows {
			for c := range row {
				row[c].Number = false
			}
		}
		r, err := find(b, Options{})
		if err != nil || len(r.Tables) != 1 || *r.Tables[0].Cells[0].Value != want {
			t.Errorf("%q: %v, want %s in its first cell: %v", text, r, want, err)
		}
	}
}

// A number format shows per cent where the sign stands outside of what is written beside the number.
func TestPercentFormat(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]bool{"0.0%": true, "0%;-0%": true, `0.0" "%`: true, `"20 %: "0`: false, `0"%"`: false, "": false, "#,##0": false} {
		if isPercent(format) != want {
			t.Errorf("%s: want %v", format, want)
		}
	}
}
