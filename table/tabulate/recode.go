package tabulate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Recoding maps one dimension of a table to coarser codes: those of a .grc file, or those of a hierarchy without its
// lower levels.
type Recoding struct {
	File   *argus.Recoding
	Levels int // without File: number of levels below the total to keep
}

// ReadRecoding parses a recoding as <RECODE> of τ-ARGUS has it: a number of levels, or the name of a .grc file.
// encoding is as for argus.ReadRecoding.
func ReadRecoding(text, encoding string) (Recoding, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 {
			return Recoding{}, i18n.Errorf("%s levels: want 1 or more, or a .grc file", text)
		}
		return Recoding{Levels: n}, nil
	}
	f, err := argus.ReadRecoding(text, encoding)
	return Recoding{File: f}, err
}

// String describes r.
func (r Recoding) String() string {
	if r.File == nil {
		return fmt.Sprintf("to %d levels", r.Levels)
	}
	return "by " + filepath.Base(r.File.File)
}

// A finished is a dimension of the codes in use, with, by code number in the dict, each code's position and whether it
// is a missing code.
type finished struct {
	dim     table.Dimension
	at      []int32
	missing []bool
}

// recode returns f recoded by r; d holds the codes of the records. Records are counted at their own codes until then,
// so the number of these still bounds the memory.
func (f *finished) recode(d *dict, r Recoding) (*finished, error) {
	tree := d.v.Tree != nil || d.v.Levels != nil
	var small table.Dimension
	var to map[string]string
	missing := d.missing
	var err error
	switch {
	case r.File == nil && !tree:
		return nil, i18n.Errorf("%d levels: %s has no hierarchy; want a .grc file", r.Levels, d.v.Name)
	case r.File == nil:
		small, to, err = argus.KeepLevels(&f.dim, r.Levels)
	case tree:
		small, to, err = r.File.ApplyTree(&f.dim, d.unused)
	default:
		small, to, missing, err = d.join(&f.dim, r.File)
	}
	if err != nil {
		return nil, err
	}
	out := &finished{dim: small, at: make([]int32, len(f.at)), missing: make([]bool, len(small.Codes))}
	number := make(map[string]int32, len(small.Codes))
	for k, code := range small.Codes {
		number[code] = int32(k)
		out.missing[k] = k > 0 && missing(code)
	}
	for id, k := range f.at {
		out.at[id] = number[to[f.dim.Codes[k]]]
	}
	return out, nil
}

// unused reports whether code, which no record has, belongs to the hierarchy.
func (d *dict) unused(code string) bool {
	if d.v.Tree != nil {
		return d.inner[code] || d.leaf[code]
	}
	n := 0
	for _, l := range d.v.Levels {
		if n += l; l > 0 && n == len(code) {
			return true
		}
	}
	return false
}

// join applies a recoding to codes without a hierarchy. missing reports which new codes are missing codes. Ranges skip
// missing codes: these become the missing codes that the file names, in their order, or stay as they are. A rule cannot
// turn a missing code into a valid one.
func (d *dict) join(dim *table.Dimension, r *argus.Recoding) (small table.Dimension, to map[string]string, missing func(string) bool, err error) {
	missing = d.missing
	if r.Missing != nil {
		missing = func(code string) bool {
			return slices.ContainsFunc(r.Missing, func(m string) bool { return argus.Code(m) == code })
		}
	}
	valid := slices.DeleteFunc(slices.Clone(dim.Codes[1:]), d.missing)
	if to, err = r.Apply(valid); err != nil {
		return small, nil, nil, err
	}
	for k, m := range d.v.Missing {
		m = argus.Code(m)
		to[m] = m
		if n := len(r.Missing); n > 0 {
			to[m] = argus.Code(r.Missing[min(k, n-1)])
		}
	}
	for _, rule := range r.Rules {
		if rule.New == dim.Total() {
			return small, nil, nil, rule.Fault(r.File, "the total code cannot be a new one")
		}
		for _, f := range rule.From {
			if f.Low == f.High && d.missing(f.Low) {
				if !missing(rule.New) {
					return small, nil, nil, rule.Fault(r.File, "a missing code cannot become a valid one")
				}
				to[f.Low] = rule.New
			}
		}
	}
	codes := sets.Each(dim.Codes[1:], func(c string) string { return to[c] })
	slices.Sort(codes)
	codes = slices.Compact(codes)
	inOrder(codes, missing)
	small, err = table.FlatDimension(dim.Name, dim.Total(), codes)
	return small, to, missing, err
}

// recoding returns the recoding of the dimension called name; ok is false if there is none.
func (p *Spec) recoding(name string) (r Recoding, ok bool) {
	for n, r := range p.Recode {
		if strings.EqualFold(n, name) {
			return r, true
		}
	}
	return r, false
}
