package tabulate

import (
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// FromMetadata returns the Source that an .rda file of τ-ARGUS describes, and reads the hierarchies that it names.
// encoding, as in Source, applies to both.
func FromMetadata(m *argus.Metadata, encoding string) (Source, error) {
	s := Source{Encoding: encoding}
	if m.SPSS {
		return s, &formats.Error{File: m.File, Want: i18n.T("<SPSS>: SPSS files are not read; export them as text")}
	}
	if m.Separator != "" {
		s.Separator = m.Separator[0]
	}
	for _, v := range m.Variables {
		out := Variable{Name: v.Name, Start: v.Start, Length: v.Length, Missing: v.Missing, Total: v.TotCode,
			Decimals: v.Decimals, Weight: v.Weight, Holding: v.Holding}
		copy(out.Request[:], v.Request)
		switch {
		case v.HierCodelist != "":
			var tree table.Dimension
			var err error
			if v.Labels != nil {
				tree, err = v.Tree(encoding)
			} else {
				tree, err = formats.ReadHierarchy(v.HierCodelist, v.Name, v.TotCode, v.Lead, encoding)
			}
			if err != nil {
				return s, err
			}
			out.Tree = &tree
		case v.Hierarchical && len(v.HierLevels) > 0:
			out.Levels = v.HierLevels
		case v.Hierarchical:
			return s, &formats.Error{File: m.File, Line: v.Line, Value: v.Name,
				Want: i18n.T("<HIERARCHICAL> without <HIERCODELIST> or <HIERLEVELS>; which codes are below which?")}
		}
		if len(m.Variables) > 0 && s.Separator == 0 && (v.Start < 1 || v.Length < 1) {
			return s, &formats.Error{File: m.File, Line: v.Line, Value: v.Name, Want: i18n.T("start %d, length %d: want both from 1", v.Start, v.Length)}
		}
		s.Variables = append(s.Variables, out)
	}
	return s, nil
}
