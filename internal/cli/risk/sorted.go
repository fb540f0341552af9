package risk

import (
	"cmp"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/risk"
)

// A follow counts how the values of a column follow each other in a set of records.
type follow struct{ equal, up, down int }

func (f *follow) add(o follow) {
	f.equal += o.equal
	f.up += o.up
	f.down += o.down
}

// follows returns 0 for equal values, 1 if b comes after a, else −1. Numbers with more digits come later; otherwise
// texts are compared.
func follows(a, b string) int {
	digits := func(v string) int {
		n := 0
		for n < len(v) && '0' <= v[n] && v[n] <= '9' {
			n++
		}
		return n
	}
	if x, y := digits(a), digits(b); x != y && x > 0 && y > 0 {
		return cmp.Compare(y, x)
	}
	return strings.Compare(b, a)
}

// leastPairs is how many pairs of different neighbours there must be, or be expected, for a sequence to be informative:
// each bound is then at least five standard deviations from what a random order gives.
const leastPairs = 100

// tells reports whether a record tells something about the next one. This is so if the values go up three times as
// often as down, or the reverse. It is also so if, of the pairs that would differ in a random order (when a share same
// of all pairs is equal), half are equal, or less than three in ten, instead of five, go up (or down), as when half of
// the lines are sorted.
func (f *follow) tells(same float64) bool {
	if n := f.up + f.down; n >= leastPairs && max(f.up, f.down) >= 3*min(f.up, f.down) {
		return true
	}
	different := float64(f.equal+f.up+f.down) * (1 - same)
	return different >= leastPairs && (float64(f.up+f.down) <= different/2 || float64(min(f.up, f.down)) <= 0.3*different)
}

// partLines is the number of lines in the parts of a file whose order is examined besides that of the whole: what is
// sorted only in one part is found there.
const partLines = 100_000

// countedValues is how many values of a column are counted, in the order of their occurrence; any further values are
// taken to be rare.
const countedValues = 1 << 20

// A sequence counts how the values of columns follow each other, in records read by one worker; the records of a batch
// follow one another.
type sequence struct {
	columns *risk.Columns
	file    *int // index of the file being read; negative for one that is not read in the order of its lines
	width   int
	parts   map[[2]int][]follow // by file and part
	records int
	count   [][]uint32 // by column and value
	recent  [][recentTexts]text
}

// recentTexts is how many texts of a column are cached.
const recentTexts = 256

// A text is the text of a value.
type text struct {
	id    uint32
	known bool
	value string
}

func newSequence(c *risk.Columns, file *int) *sequence {
	w := len(c.Names())
	return &sequence{columns: c, file: file, width: w, parts: map[[2]int][]follow{}, count: make([][]uint32, w), recent: make([][recentTexts]text, w)}
}

// AddBatch adds records that follow each other.
func (s *sequence) AddBatch(b *risk.Batch) error {
	if *s.file < 0 || b.N == 0 {
		return nil
	}
	key := [2]int{*s.file, b.Line(0) / partLines}
	part := s.parts[key]
	if part == nil {
		part = make([]follow, s.width)
		s.parts[key] = part
	}
	s.records += b.N
	for c := range s.width {
		f, last := &part[c], b.IDs[c]
		s.counted(c, last)
		for at := s.width + c; at < b.N*s.width; at += s.width {
			id := b.IDs[at]
			s.counted(c, id)
			switch {
			case id == last:
				f.equal++
			case follows(s.value(c, last), s.value(c, id)) > 0:
				f.up++
			default:
				f.down++
			}
			last = id
		}
	}
	return nil
}

// counted counts a value.
func (s *sequence) counted(c int, id uint32) {
	if id >= countedValues {
		return
	}
	for int(id) >= len(s.count[c]) {
		s.count[c] = append(s.count[c], make([]uint32, max(64, len(s.count[c])))...)
	}
	s.count[c][id]++
}

// value returns the value with an identifier.
func (s *sequence) value(c int, id uint32) string {
	t := &s.recent[c][id%recentTexts]
	if t.id != id || !t.known {
		*t = text{id, true, s.columns.Value(c, id)}
	}
	return t.value
}

// Merge adds the counts of another worker.
func (s *sequence) Merge(o *sequence) error {
	for key, part := range o.parts {
		if s.parts[key] == nil {
			s.parts[key] = make([]follow, s.width)
		}
		for c := range part {
			s.parts[key][c].add(part[c])
		}
	}
	s.records += o.records
	for c, count := range o.count {
		for len(s.count[c]) < len(count) {
			s.count[c] = append(s.count[c], 0)
		}
		for id, n := range count {
			s.count[c][id] += n
		}
	}
	return nil
}

// tells returns the columns whose values tell something about the next record, in a file or in a part of one.
func (s *sequence) tells() (found []string) {
	files := map[int][]follow{}
	for key, part := range s.parts {
		if files[key[0]] == nil {
			files[key[0]] = make([]follow, s.width)
		}
		for c := range part {
			files[key[0]][c].add(part[c])
		}
	}
	for c, name := range s.columns.Names() {
		same, told := 0.0, false
		for _, n := range s.count[c] {
			same += float64(float64(n) * (float64(n) - 1))
		}
		if same > 0 {
			same /= float64(float64(s.records) * float64(s.records-1))
		}
		for _, all := range files {
			told = told || all[c].tells(same)
		}
		for _, part := range s.parts {
			told = told || part[c].tells(same)
		}
		if told {
			found = append(found, name)
		}
	}
	return found
}

// nextFile records which file is read next; a Parquet file is not read in the order of its lines.
func nextFile(n *int, files *int, path string) {
	*files++
	if *n = *files; flags.IsParquet(path) {
		*n = -1
	}
}
