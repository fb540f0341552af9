package compare

import (
	"context"
	"encoding/csv"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// SameOrder returns the truth of a complete release whose records are in the order of the original.
func SameOrder(original, release *Records) ([]int32, error) {
	if original.N != release.N {
		return nil, i18n.Errorf("%d records in the original and %d in the release, which cannot be in the same order then", original.N, release.N)
	}
	truth := sets.Upto(int32(release.N))
	return truth, nil
}

// ByID finds the truth by a column of both files whose values in the original are all different. A record of the
// release with a value not found there has none (−1).
func ByID(ctx context.Context, l risk.Layout, column, original, release string) ([]int32, error) {
	files, err := Read(ctx, l, []string{column}, []string{column}, original, release)
	if err != nil {
		return nil, err
	}
	at := map[uint32]int32{}
	for i, id := range files[0].ID[0] {
		if _, dup := at[id]; dup {
			return nil, i18n.Errorf("%s: column %s has a value twice, so it does not tell records apart", original, formats.Show(column))
		}
		at[id] = int32(i)
	}
	truth := make([]int32, files[1].N)
	for i, id := range files[1].ID[0] {
		j, ok := at[id]
		if !ok {
			j = -1
		}
		truth[i] = j
	}
	return truth, nil
}

// ReadTruth reads a mapping: each line has the number of a record of the release and that of its original, from 1 on,
// separated by a comma; the first line may be a header. Records of the release that are not in it have none (−1).
func ReadTruth(path string, original, release int) ([]int32, error) {
	truth, first := slices.Repeat([]int32{-1}, release), true
	wanted := i18n.T("want two numbers of records with a comma: of the release, of the original")
	as := func(r *csv.Reader) { r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = 2, true, true }
	err := formats.EachRecord(path, wanted, as, func(line int, rec []string) error {
		i, errI := strconv.Atoi(rec[0])
		j, errJ := strconv.Atoi(rec[1])
		if header := first && errI != nil && errJ != nil; header {
			first = false
			return nil
		}
		first = false
		switch {
		case errI != nil || i < 1 || i > release:
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[0]), Want: i18n.T("want the number of a record of the release, 1 to %d", release)}
		case errJ != nil || j < 1 || j > original:
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[1]), Want: i18n.T("want the number of a record of the original, 1 to %d", original)}
		case truth[i-1] >= 0:
			return &formats.Error{File: path, Line: line, Value: formats.Show(rec[0]), Want: i18n.T("this record is there twice")}
		}
		truth[i-1] = int32(j - 1)
		return nil
	})
	return truth, err
}
