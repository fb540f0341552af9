package bench

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/document"
)

// A field is one column of a CSV file of results and the place of its values.
// What is nil or empty is written as nothing.
type field struct {
	name string
	at   any // pointer into a Result
}

// fields returns the columns of r, called like the keys of its JSON document;
// those of its batch have "batch_" before them.
func fields(r *Result) []field {
	b := r.Batch
	if b == nil {
		b = &document.BenchBatch{}
	}
	return []field{
		{"table", &r.Table}, {"cells", &r.Cells}, {"relations", &r.Relations}, {"sensitive", &r.Sensitive},
		{"status", &r.Status}, {"cost", &r.Cost}, {"withheld_cost", &r.WithheldCost}, {"bound", &r.Bound}, {"gap", &r.Gap},
		{"suppressed", &r.Suppressed}, {"nodes", &r.Nodes}, {"rounds", &r.Rounds}, {"cuts", &r.Cuts},
		{"first_seconds", &r.FirstSeconds}, {"proof_seconds", &r.ProofSeconds}, {"seconds", &r.Seconds},
		{"cpu_seconds", &r.CPUSeconds}, {"runs", &r.Runs},
		{"audit", &r.Audit}, {"audit_seconds", &r.AuditSeconds},
		{"certificate", &r.Certificate}, {"certificate_seconds", &r.CertificateSeconds},
		{"heap_peak", &r.HeapPeak}, {"rss_peak", &r.RSSPeak}, {"rss_scope", &r.RSSScope},
		{"batch_tables", &b.Tables}, {"batch_protected", &b.Protected}, {"batch_unprotectable", &b.Unprotectable},
		{"batch_unprotected", &b.Unprotected}, {"batch_stopped", &b.Stopped},
		{"batch_median_ms", &b.MedianMS}, {"batch_mean_ms", &b.MeanMS}, {"batch_max_ms", &b.MaxMS},
		{"lp", &r.LP}, {"engine", &r.Engine}, {"workers", &r.Workers}, {"canonical", &r.Canonical},
		{"gap_limit", &r.GapLimit}, {"time_limit", &r.TimeLimit}, {"rules", &r.Rules}, {"version", &r.Version}, {"machine", &r.Machine},
	}
}

// text writes the value of a field.
func (f field) text() string {
	switch v := f.at.(type) {
	case *string:
		return *v
	case *document.Exact:
		return string(*v)
	case *int:
		return strconv.Itoa(*v)
	case *int64:
		return strconv.FormatInt(*v, 10)
	case **int64:
		if *v == nil {
			return ""
		}
		return strconv.FormatInt(**v, 10)
	case *float64:
		return formatFloat(*v)
	case **float64:
		if *v == nil {
			return ""
		}
		return formatFloat(**v)
	case *bool:
		return strconv.FormatBool(*v)
	case *[]float64:
		parts := make([]string, len(*v))
		for k, x := range *v {
			parts[k] = formatFloat(x)
		}
		return strings.Join(parts, " ")
	case *map[string]int:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(*v)) {
			parts = append(parts, k+"="+strconv.Itoa((*v)[k]))
		}
		return strings.Join(parts, " ")
	}
	panic(fmt.Sprintf("bench: field %s of type %T", f.name, f.at))
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// parse reads what text writes.
func (f field) parse(s string) (err error) {
	switch v := f.at.(type) {
	case *string:
		*v = s
		return nil
	case *document.Exact:
		return parseNumber(v, s)
	}
	if s == "" {
		return nil
	}
	switch v := f.at.(type) {
	case *int:
		*v, err = strconv.Atoi(s)
	case *int64:
		*v, err = strconv.ParseInt(s, 10, 64)
	case **int64:
		*v = new(int64)
		**v, err = strconv.ParseInt(s, 10, 64)
	case *float64:
		*v, err = strconv.ParseFloat(s, 64)
	case **float64:
		*v = new(float64)
		**v, err = strconv.ParseFloat(s, 64)
	case *bool:
		*v, err = strconv.ParseBool(s)
	case *[]float64:
		for _, part := range strings.Fields(s) {
			x, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return fmt.Errorf("%q: want a number", part)
			}
			*v = append(*v, x)
		}
	case *map[string]int:
		for _, part := range strings.Fields(s) {
			key, n, _ := strings.Cut(part, "=")
			k, err := strconv.Atoi(n)
			if err != nil {
				return fmt.Errorf("%q: want family=number", part)
			}
			(*v)[key] = k
		}
	}
	if err != nil {
		return fmt.Errorf("%q: want a number", s)
	}
	return nil
}
