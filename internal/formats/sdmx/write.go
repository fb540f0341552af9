package sdmx

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// Column implements formats.Layout.
func (s *reader) Column(_ int, field string) string {
	if c := s.column(field); c >= 0 {
		return s.name[c]
	}
	return field
}

// Write implements formats.Layout: it writes the lines of the file with CONF_STATUS and OBS_STATUS brought up
// to date, or appended if there are none, and lines for computed margins. With a pattern, withheld cells have
// no value unless values are kept beside flags. All other columns are then blank, except dimensions, values and
// contributors of published cells, and columns that are the same on all lines.
func (s *reader) Write(w io.Writer, in *formats.Input, withheld []bool) error {
	if s.bom {
		if _, err := w.Write(records.Mark); err != nil {
			return err
		}
	}
	t := in.Table
	c := csv.NewWriter(w)
	c.Comma, c.UseCRLF = s.comma, s.crlf
	head := slices.Clone(s.header)
	obs, conf, ends := s.obs, s.conf, s.ends
	more := []struct {
		at   *int
		name string
	}{{&obs, "OBS_STATUS"}, {&conf, "CONF_STATUS"}, {&ends[0], endColumns[0]}, {&ends[1], endColumns[1]}}
	if !in.Intervals {
		more = more[:2]
	}
	for _, a := range more {
		if *a.at < 0 {
			*a.at = len(head)
			head = append(head, a.name)
		}
	}
	c.Write(head)
	masked := withheld != nil && !in.Style.Flag
	value, freq := s.column("value"), s.column("freq")
	same := s.constant()
	row := make([]string, len(head))
	for i := range t.Len() {
		out := withheld != nil && withheld[i]
		given := i < len(s.rows)
		clear(row)
		for n := range s.header {
			from := s.rows[min(i, len(s.rows)-1)][n]
			open := n == value || n == freq
			switch {
			case n == obs || n == conf:
			case open && masked && out:
				if n == value {
					row[n] = in.Style.Symbol
				}
			case given && (open || !masked), same[n], given && slices.Contains(s.dims, n):
				row[n] = from
			}
		}
		found, was := "", ""
		if given && s.conf >= 0 {
			found = s.code(s.conf, s.rows[i][s.conf])
		}
		if given && s.obs >= 0 {
			was = s.code(s.obs, s.rows[i][s.obs])
		}
		if !given {
			for d, n := range s.free {
				row[n] = t.Dims[d].Codes[t.Coord[i*len(t.Dims)+d]]
			}
			if !(masked && out) {
				row[value] = s.format(t.Value[i], t.Decimals)
				if freq >= 0 && freq != value && t.Freq != nil && t.Freq[i] >= 0 {
					row[freq] = s.format(t.Freq[i], 0)
				}
			}
		}
		if in.Intervals && out {
			row[ends[0]], row[ends[1]] = s.endsOf(in, i)
		}
		row[conf] = formats.Code(&in.Style, t.Status[i], t.ReasonOf(i), out, in.Uniform, found)
		row[obs] = obsStatus(was, out && masked || !t.Known(i))
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

func (s *reader) format(v int64, decimals int) string {
	return s.point(table.FormatDecimal(v, decimals))
}

// point writes a number with the decimal mark of the file.
func (s *reader) point(text string) string {
	for i := range s.rows { // one decimal comma shows that the file has commas
		if s.comma != ',' && strings.Contains(s.rows[i][s.at["value"]], ",") {
			return strings.Replace(text, ".", ",", 1)
		}
	}
	return text
}

// constant marks the columns with the same text on all lines, if there are several lines.
func (s *reader) constant() []bool {
	same := make([]bool, len(s.header))
	for n := range same {
		same[n] = len(s.rows) > 1 && !slices.ContainsFunc(s.rows, func(row []string) bool { return row[n] != s.rows[0][n] })
	}
	for _, n := range s.dims {
		if !slices.Contains(s.free, n) {
			same[n] = true
		}
	}
	for n, name := range s.name { // the columns of a line
		same[n] = same[n] || slices.Contains([]string{"STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "DATAFLOW"}, name) &&
			!slices.Contains(s.dims, n)
	}
	return same
}

// obsStatus returns Q if the value is masked, otherwise what it was, or A.
func obsStatus(was string, masked bool) string {
	switch {
	case masked:
		return "Q"
	case was != "" && !strings.EqualFold(was, "Q"):
		return was
	}
	return "A"
}

// Write writes t as SDMX-CSV 2.0: its dimensions, OBS_VALUE, OBS_STATUS and CONF_STATUS. With style.Flag the
// values of withheld cells are written beside their statuses, otherwise they are left empty, or are
// style.Symbol (in SDMX-CSV 2.1: NaN).
//
// There is no place for contributors, costs, levels, bounds and largest contributions, nor for trees of codes,
// which the structure defines elsewhere.
func Write(w io.Writer, t *table.Table, style formats.Style) error {
	k := len(t.Dims)
	if k == 0 {
		return i18n.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	c := csv.NewWriter(w)
	head := []string{"STRUCTURE", "STRUCTURE_ID", "ACTION"}
	for d := range t.Dims {
		name := t.Dims[d].Name
		if strings.Contains(name, ": ") || slices.Contains(head, name) || slices.Contains([]string{"OBS_VALUE", "OBS_STATUS", "CONF_STATUS"}, name) {
			return i18n.Errorf("table %s: the dimension %s cannot be told from other columns of SDMX-CSV", t.Name, formats.Show(name))
		}
		head = append(head, name)
	}
	c.Write(append(head, "OBS_VALUE", "OBS_STATUS", "CONF_STATUS"))
	row := make([]string, k+6)
	row[0], row[1], row[2] = "dataflow", "LOCAL:"+id(t.Name)+"(1.0)", "I"
	for i := range t.Len() {
		for d := range k {
			row[3+d] = t.Dims[d].Codes[t.Coord[i*k+d]]
		}
		out := t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld
		if masked := !t.Known(i) || out && !style.Flag; masked {
			row[k+3], row[k+4] = style.Symbol, "Q"
		} else if t.Status[i] == table.Published && t.Value[i] == 0 {
			row[k+3], row[k+4] = "", "M" // for a structural zero
		} else {
			row[k+3], row[k+4] = table.FormatDecimal(t.Value[i], t.Decimals), "A"
		}
		row[k+5] = formats.Code(&style, t.Status[i], t.ReasonOf(i), false, false, "")
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// id makes an identifier from the name of a table.
func id(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	return cmp.Or(name, "TABLE")
}
