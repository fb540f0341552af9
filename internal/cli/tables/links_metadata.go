package tables

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect/ledger"
)

// isMetadata reports whether a file begins as a file of metadata does.
func isMetadata(head string) bool {
	line, _, _ := strings.Cut(strings.TrimPrefix(head, "\ufeff"), "\n")
	for _, sep := range []string{",", ";", "\t"} {
		for _, c := range strings.Split(line, sep) {
			if strings.Trim(strings.TrimSpace(c), `"`) == "table_name" {
				return true
			}
		}
	}
	return false
}

// readMetadata reads a table of tables, one per line, as the function analyse_metadata of the R package rtauargus takes
// it: columns table_name, field, hrc_field, indicator, hrc_indicator and spanning_1, hrc_spanning_1, spanning_2, …, of
// which only table_name and spanning_1 are required. Empty fields and NA count as missing. Errors are *formats.Error.
func readMetadata(r io.Reader, file string) ([]ledger.Described, error) {
	text, err := budget.ReadAll(r, budget.Settings)
	if err != nil {
		return nil, i18n.Errorf("%s: %w", file, err)
	}
	body := strings.TrimPrefix(string(text), "\ufeff")
	line, _, _ := strings.Cut(body, "\n")
	in := csv.NewReader(strings.NewReader(body))
	for _, sep := range []rune{';', '\t'} {
		if strings.Count(line, string(sep)) > strings.Count(line, ",") {
			in.Comma = sep
		}
	}
	header, err := in.Read()
	if err != nil {
		return nil, &formats.Error{File: file, Line: 1, Want: i18n.T("want a header with table_name")}
	}
	column := map[string]int{}
	for k, h := range header {
		column[strings.TrimSpace(h)] = k
	}
	for _, name := range []string{"table_name", "spanning_1"} {
		if _, ok := column[name]; !ok {
			return nil, &formats.Error{File: file, Line: 1, Field: name, Want: i18n.T("there is none; want table_name, field, hrc_field, indicator, hrc_indicator, spanning_1, hrc_spanning_1, …")}
		}
	}
	var all []ledger.Described
	seen := map[string]int{}
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			n := 0
			if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
				n, err = bad.Line, bad.Err
			}
			return nil, &formats.Error{File: file, Line: n, Want: i18n.T("%s", err)}
		}
		n, _ := in.FieldPos(0)
		of := func(name string) string {
			if k, ok := column[name]; ok && strings.TrimSpace(row[k]) != "NA" {
				return strings.TrimSpace(row[k])
			}
			return ""
		}
		d := ledger.Described{Name: of("table_name"), Field: of("field"), FieldLink: of("hrc_field"), Indicator: of("indicator"), IndicatorLink: of("hrc_indicator"), Line: n}
		for k := 1; ; k++ {
			name := "spanning_" + strconv.Itoa(k)
			if _, ok := column[name]; !ok {
				break
			}
			if v := of(name); v != "" {
				d.Dims = append(d.Dims, ledger.DescribedDim{Name: v, Link: of("hrc_" + name)})
			}
		}
		switch first, twice := seen[d.Name]; {
		case d.Name == "":
			return nil, &formats.Error{File: file, Line: n, Field: "table_name", Want: i18n.T("want a name")}
		case twice:
			return nil, &formats.Error{File: file, Line: n, Field: "table_name", Want: i18n.T("%s stands on line %d already", d.Name, first)}
		case len(d.Dims) == 0:
			return nil, &formats.Error{File: file, Line: n, Field: "spanning_1", Want: i18n.T("want a variable")}
		}
		seen[d.Name] = n
		all = append(all, d)
	}
	return all, nil
}
