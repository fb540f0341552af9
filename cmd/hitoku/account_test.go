package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// understood are the workbooks of which every number is in the table that is read or computed from it. That their copies tell no more than they
// may is judged by the adversary.
var understood = map[string]bool{
	"01-share-sheet-fractions": true, "02-share-pairs-fractions": true, "03-share-pairs-csv": true, "04-share-block-at-the-right": true,
	"05-share-panel-below": true, "06-share-rows": true, "07-change-in-percent": true, "08-net-change": true, "09-change-sheet": true,
	"10-index-numbers": true, "13-continued-below": true, "14-continued-below-csv": true, "15-two-tables-side-by-side": true,
	"16-sheets-total-male-female": true, "17-blocks-total-public-private": true, "18-unit-in-one-column": true,
	"19-goes-on-at-the-right-hidden-column": true, "20-hidden-list": true, "21-of-which-column": true, "22-panels-without-their-name": true,
	"23-footnoted-numbers": true, "24-size-classes-across": true, "25-collapsed-total": true, "003": true, "006": true, "009": true, "010": true,
	"014": true, "018": true, "019": true, "022": true, "023": true, "025": true, "026": true, "027": true, "028": true, "029": true, "030": true, "031": true,
	"032": true, "033": true, "034": true, "035": true, "038": true, "044": true, "047": true, "050": true, "076": true, "086": true, "090": true,
	"095": true, "098": true, "102": true, "109": true,
}

// sumsTold are those whose truth has every sum by the address of its total.
var sumsTold = map[string]bool{"21-of-which-column": true, "22-panels-without-their-name": true, "23-footnoted-numbers": true, "050": true}

// TestAccount: a file with numbers that are in no table is refused, by address, and nothing is written; nobody is told that it is
// protected.
func TestAccount(t *testing.T) {
	t.Parallel()
	dir := shared.Path(t, "data", "workbooks")
	var folders []string
	for _, pattern := range []string{"[0-9]*", "more/*"} {
		found := must.Get(filepath.Glob(filepath.Join(dir, pattern)))(t)
		folders = append(folders, found...)
	}
	if len(folders) < 60 {
		t.Fatalf("%d workbooks", len(folders))
	}
	for _, folder := range folders {
		name := filepath.Base(folder)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := must.Get(filepath.Glob(filepath.Join(folder, "*")))(t)
			for _, file := range files {
				if filepath.Base(file) == "truth.json" {
					continue
				}
				out := filepath.Join(t.TempDir(), filepath.Base(file))
				var stdout, stderr bytes.Buffer
				code := run([]string{"suppress", "--below", "3", "--width", "3", "-o", out, file}, nil, &stdout, &stderr)
				_, err := os.Stat(out)
				switch {
				case understood[name] && code != cli.Done:
					t.Errorf("exit code %d: %s", code, &stderr)
				case sumsTold[name]:
					wantSums(t, file, filepath.Join(folder, "truth.json"))
				case !understood[name] && (code != cli.Usage || err == nil || strings.Contains(stdout.String(), "protected")):
					t.Errorf("exit code %d, written: %v\n%s%s", code, err == nil, &stdout, &stderr)
				}
			}
		})
	}
}

// wantSums compares the sums that inspect finds in a file with those of its truth, by addresses.
func wantSums(t *testing.T, file, truth string) {
	var want struct {
		Relations []struct {
			Total int
			Parts []int
		}
		Places []struct {
			What, Ref string
			Expr      struct{ A int }
		}
	}
	raw, err := os.ReadFile(truth)
	if err == nil {
		err = json.Unmarshal(raw, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	ref := map[int]string{}
	for _, p := range want.Places {
		if p.What == "value" {
			ref[p.Expr.A] = p.Ref
		}
	}
	sum := func(total string, parts []string) string {
		slices.Sort(parts)
		return total + " = " + strings.Join(parts, " + ")
	}
	sums := map[string]bool{} // whether they were found
	for _, r := range want.Relations {
		if ref[r.Total] == "" { // of a total that is not printed the sum tells nothing
			continue
		}
		var parts []string
		for _, p := range r.Parts {
			parts = append(parts, ref[p])
		}
		sums[sum(ref[r.Total], parts)] = false
	}
	var got document.Inspection
	must.Do(t, json.Unmarshal(hitoku(t, "inspect", "--json", file), &got))
	at := map[string]string{}
	for _, c := range got.Cells {
		at[strings.Join(c.Codes, "\x00")] = c.Ref
	}
	for d, dim := range got.Dimensions {
		parts := map[string][]string{}
		for _, c := range dim.Codes {
			if c.Parent != nil && !c.Memo {
				parts[*c.Parent] = append(parts[*c.Parent], c.Code)
			} else if c.Memo {
				parts[c.Code] = c.Equals
			}
		}
		for _, c := range got.Cells {
			var refs []string
			for _, p := range parts[c.Codes[d]] {
				codes := slices.Clone(c.Codes)
				codes[d] = p
				refs = append(refs, at[strings.Join(codes, "\x00")])
			}
			if len(refs) == 0 {
				continue
			}
			s := sum(c.Ref, refs)
			if _, ok := sums[s]; !ok {
				t.Errorf("%s: no such sum", s)
			}
			sums[s] = true
		}
	}
	for s, found := range sums {
		if !found {
			t.Errorf("%s: not found", s)
		}
	}
}
