package formulas

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Mapping tells which person a pseudonym stands for (対応表): F of the PWS Cup, or an attacker's guess F′.
type Mapping map[string]string

// ReadMapping reads lines of a pseudonym, a comma and a person. header says that the first line has names.
func ReadMapping(path string, header bool) (Mapping, error) {
	m := Mapping{}
	err := eachPair(path, func(line int, rec []string) error {
		if header {
			header = false
			return nil
		}
		if _, dup := m[rec[0]]; dup {
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[0]), Want: i18n.T("this pseudonym is there twice")}
		}
		m[rec[0]] = rec[1]
		return nil
	})
	return m, err
}

// eachPair calls do for each line, which has two fields.
func eachPair(path string, do func(line int, rec []string) error) error {
	return formats.EachRecord(path, i18n.T("want two fields with a comma"), func(r *csv.Reader) { r.FieldsPerRecord, r.TrimLeadingSpace = 2, true }, do)
}

// Hits returns n′, the number of pseudonyms of a guess, and s, how many of them have their true person. A
// pseudonym that is not in the truth is no hit; absent counts these.
func (truth Mapping) Hits(guess Mapping) (n, s, absent int64) {
	for pseudonym, person := range guess {
		n++
		right, ok := truth[pseudonym]
		switch {
		case !ok:
			absent++
		case right == person:
			s++
		}
	}
	return n, s, absent
}

// ReadR reads a file like R.csv of the PWS Cup 2018, in which a line "a,b" says for a number of persons a that
// r(a) = b.
func ReadR(path string) (map[int64]int64, error) {
	r := map[int64]int64{}
	err := eachPair(path, func(line int, rec []string) error {
		n, err := strconv.ParseInt(rec[0], 10, 64)
		if err != nil || n < 0 {
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[0]), Want: i18n.T("want a number of persons")}
		}
		s, err := strconv.ParseInt(rec[1], 10, 64)
		if err != nil || s < 0 || s > n+1 {
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[1]), Want: i18n.T("want a number of hits, 0 to %d", n+1)}
		}
		if _, dup := r[n]; dup {
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[0]), Want: i18n.T("this number of persons is there twice")}
		}
		r[n] = s
		return nil
	})
	return r, err
}

// WriteR writes such a file for the numbers of persons from … to, with the r of a test.
func WriteR(w io.Writer, r func(n int64) (int64, error), from, to int64) error {
	b := bufio.NewWriter(w)
	for n := from; n <= to; n++ {
		s, err := r(n)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%d,%d\n", n, s)
	}
	return b.Flush()
}
