package tables

import (
	"os"
	"runtime/debug"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
)

// streamBytes is the size from which a file is read as a stream if that is possible.
const streamBytes = 256 << 20

// streamed reports whether the only file is read as a stream, of which only the cells in play are kept.
func (s *suppression) streamed(paths []string) (bool, error) {
	all := s.needsAll()
	switch {
	case s.stream && all != "":
		return false, i18n.Errorf("--stream and --%s do not go together: it is about cells that --stream does not keep", all)
	case s.stream:
		return true, nil
	case all != "" || len(paths) != 1:
		return false, nil
	}
	info, err := os.Stat(paths[0])
	return err == nil && info.Mode().IsRegular() && info.Size() >= streamBytes, nil
}

// needsAll returns the first flag that depends on cells which stay published, "" if there is none.
func (s *suppression) needsAll() string {
	p := &s.rules.Policy
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"linked", s.linked}, {"response", len(s.inputs.Responses) > 0}, {"below", p.Below > 0}, {"rules", flags.Marks(p)}, {"apriori", p.Apriori != ""},
		{"publish", len(p.Publish) > 0}, {"withhold", len(p.Withhold) > 0}, {"prefer", p.Prefer != ""}, {"cost", p.Cost.Kind == "distance"},
		{"published", len(p.Published) > 0}, {"ledger", p.Ledger != ""}, {"relations", len(p.Relations) > 0}, {"insiders", p.Insiders}, {"unions", p.Unions > 0}, {"groups", p.Groups != nil}, {"singletons", p.Singletons != nil}, {"defence", p.Defence != ""},
		{"certificate", s.proof != ""}, {"status-file", s.statuses != ""},
	} {
		if f.given {
			return f.name
		}
	}
	return ""
}

// spare is for tables of 10⁶ cells and more: garbage is collected whenever a third of what is in use has been added,
// because most memory stays in use to the end. The cost in time has not been measured on an idle machine.
func spare(files *flags.FileSet) {
	const many, percent = 1 << 20, 33
	for _, inputs := range files.Read {
		for _, in := range inputs {
			if in.Table.Len() >= many {
				debug.SetGCPercent(percent)
			}
		}
	}
}
