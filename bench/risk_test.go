package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
)

// All implementations of a metric give the same value, whatever the workers.
func TestRisk(t *testing.T) {
	value := map[string]float64{}
	measured := map[string]bool{}
	for _, workers := range []int{1, 3} {
		must.Do(t, Risk(context.Background(), 3000, 4, 7, nil, true, "", workers, func(r *document.BenchRisk) error {
			measured[r.Metric+" "+r.Implementation] = true
			if v, ok := value[r.Metric]; ok && v != r.Value {
				t.Errorf("%s: %v by %s with %d workers, before %v", r.Metric, r.Value, r.Implementation, workers, v)
			}
			value[r.Metric] = r.Value
			if r.Classes == 0 || r.Value == 0 {
				t.Errorf("%+v", r)
			}
			return nil
		}))
	}
	if len(measured) != len(riskRuns) {
		t.Errorf("measured %v", measured)
	}
}

// TestRiskOfTenColumns: more columns tell more records apart, and the same records by the first four of them.
func TestRiskOfTenColumns(t *testing.T) {
	classes := map[int]int64{}
	for _, columns := range []int{4, 10} {
		must.Do(t, Risk(context.Background(), 20_000, columns, 7, []string{"k-anonymity", "all"}, true, "", 1, func(r *document.BenchRisk) error {
			if r.Columns != columns || r.Value == 0 {
				t.Errorf("%+v", r)
			}
			if r.Implementation == "hitoku" {
				classes[columns] = r.Classes
			}
			return nil
		}))
	}
	if classes[10] <= classes[4] || classes[10] > 20_000 {
		t.Errorf("%v classes", classes)
	}
}

// The records of a seed are the same everywhere.
func TestWritePersons(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, writePersons(&b, 1000, 4, 1, 0.05))
	if got := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:16]; got != "3ddef57ff1d4f1eb" {
		t.Errorf("hash %s of\n%.200s", got, b.String())
	}
}
