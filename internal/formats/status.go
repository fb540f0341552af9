package formats

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A statusKind is a vocabulary of statuses. The same letter means different things in different ones (S is safe
// in τ-ARGUS and secondary in SDMX), so the name of the column decides.
type statusKind struct {
	names []string // names of the columns
	to    map[string]table.Status
	want  i18n.Text
	// The texts to write where the text that was found cannot be kept.
	safe, published, sensitive, withheld string
}

// statusKinds: the first is for a column called status or chosen by name.
var statusKinds = []*statusKind{{
	names: []string{"status"},
	to: map[string]table.Status{
		"s": table.Safe, "u": table.Sensitive, "z": table.Published, "m": table.Withheld,
		// Statuses of τ-ARGUS: protected and empty cells take no part in protection.
		"p": table.Published, "e": table.Published,
		// SDMX CONF_STATUS, as far as its codes mean nothing else here.
		"f": table.Safe, "c": table.Sensitive, "n": table.Sensitive, "d": table.Withheld,
	},
	want: i18n.T("want s, u, z or m (or S, U, P, M, E of τ-ARGUS; F, C, N, D of SDMX, all of its codes in a column CONF_STATUS or OBS_STATUS)"),
	safe: "s", published: "z", sensitive: "u", withheld: "m",
}, {
	names: []string{"conf_status"},
	to: map[string]table.Status{
		"f": table.Safe,
		"c": table.Sensitive, "n": table.Sensitive, "a": table.Sensitive, "o": table.Sensitive, "t": table.Sensitive,
		"g": table.Sensitive, "m": table.Sensitive, "x": table.Sensitive, "p": table.Sensitive,
		"d": table.Withheld, "s": table.Withheld,
	},
	want: i18n.T("want an SDMX code: F free; C, N, A, O, T, G, M, X, P primary; D, S secondary"),
	safe: "F", published: "F", sensitive: "C", withheld: "D",
}, {
	names: []string{"obs_status"},
	to: map[string]table.Status{
		"a": table.Safe, "b": table.Safe, "d": table.Safe, "e": table.Safe, "f": table.Safe, "g": table.Safe,
		"i": table.Safe, "j": table.Safe, "n": table.Safe, "p": table.Safe, "s": table.Safe, "u": table.Safe,
		"v": table.Safe, "w": table.Safe,
		"m": table.Published, "q": table.Withheld,
	},
	want: i18n.T("want an SDMX code of an observation with a value (A, B, D, E, F, G, I, J, N, P, S, U, V, W), M cannot exist, or Q suppressed"),
	safe: "A", published: "A", sensitive: "Q", withheld: "Q",
}}

// parse reads a status; empty is safe.
func (k *statusKind) parse(s string) (st table.Status, ok bool) {
	if s == "" {
		return table.Safe, true
	}
	if len(s) == 1 {
		st, ok = k.to[strings.ToLower(s)]
	}
	return st, ok
}

// freeStatus returns a name for a column of statuses that no other column has, and its vocabulary: status, or a
// name of SDMX if some dimension is called status, as marital status may be.
func freeStatus(names []string) (string, *statusKind) {
	for _, k := range statusKinds {
		for _, name := range k.names {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
				return name, k
			}
		}
	}
	return statusKinds[0].names[0], statusKinds[0]
}

// kindOf returns the vocabulary of a column name, or nil.
func kindOf(column string) *statusKind {
	for _, k := range statusKinds {
		if slices.Contains(k.names, strings.ToLower(column)) {
			return k
		}
	}
	return nil
}

// format returns the text to write for the status of a cell. The text found is kept if it means the same,
// unless sensitive cells must not be distinguished from others.
func (k *statusKind) format(st table.Status, withheld, uniform bool, found *field) string {
	switch {
	case withheld && (uniform || st != table.Sensitive):
		st = table.Withheld
	case found != nil:
		if was, ok := k.parse(found.text); ok && was == st {
			return found.raw
		}
	}
	switch st {
	case table.Published:
		return k.published
	case table.Sensitive:
		return k.sensitive
	case table.Withheld:
		return k.withheld
	}
	return k.safe
}
