package risk

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/masking"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
)

// microaggregate is hitoku risk microaggregate.
type microaggregate struct {
	microFlags
	together []string
	k        int
	digits   int
	path     string
	order    orderFlags
}

func newRiskMicroaggregate() *cobra.Command {
	m := &microaggregate{}
	cmd := &cobra.Command{
		Use:   "microaggregate FILE --attribute A,B --k K -o OUT",
		Short: "Replace numbers by the averages of groups of k records that are alike (MDAV)",
		Long: `Records are put into groups of k to 2k−1 that are near each other in the columns of one
--attribute, divided by their standard deviations, and each number is replaced by the average of
its group (MDAV: around the record farthest from the average of those left, and around the one
farthest from that). With several --attribute each has groups of its own: k is then that of each
by itself. Nothing is drawn but the order in which records are written.`,
		Example: `  hitoku risk microaggregate firms.csv --attribute turnover,staff --k 5 -o release.csv
  hitoku risk microaggregate persons.csv --attribute income --attribute age --k 3 --digits 1 -o release.csv`,
		Args: flags.InputArgs,
		RunE: named(m.run),
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{m.beside.dropped(), flags.Encoding(&m.encoding, "the records"), flags.Separator(&m.separator)}),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "attribute", To: &m.together, Wanted: true, Text: "`columns` of numbers that are averaged together, with commas; repeatable"},
			{Name: "k", To: &m.k, Wanted: true, Range: "[2, ∞)", Text: "`number` of records of a group at least"},
			{Name: "digits", To: &m.digits, Default: -1, Range: "[-1, 9]", Text: "`N` decimals of the averages", Else: "those of the column"},
		}),
		flags.In(flags.OutputGroup, append(m.order.list(), []flags.Flag{
			outputFlag(&m.path, true),
			m.out.flag(),
		}...)),
	)
	flags.Common(cmd, "--attribute income,age", "--k 5", "--digits 1", "--drop name", "-o release.csv")
	return cmd
}

func (m *microaggregate) run(cmd *cobra.Command, args []string) error {
	if err := readTwice(args); err != nil {
		return err
	}
	if err := m.check(cmd, args); err != nil {
		return err
	}
	groups := sets.Each(m.together, func(text string) []string { return strings.Split(text, ",") })
	columns := slices.Concat(groups...)
	if err := once(columns); err != nil {
		return err
	}
	x, err := readNumbers(cmd.Context(), args[0], m.layout(), columns)
	if err != nil {
		return err
	}
	if err := m.beside.look(cmd, args, m.layout(), columns); err != nil {
		return err
	}
	doc := &document.Microaggregation{Release: document.Release{File: args[0], Output: m.path, Shuffled: !m.order.keep, N: int64(x.n), Beside: m.beside.note()}, Least: int64(m.k), Groups: []document.Averaged{}}
	d := &microMeasure{measure: newMeasure(doc, "microaggregate"), beside: &m.beside, records: uint64(x.n)}
	if x.n == 0 {
		return d.print(cmd, &m.out)
	}
	if x.n < m.k {
		return d.infeasible(cmd, &m.out, i18n.T("%d records are fewer than k = %d; nothing is written", x.n, m.k))
	}
	t := render.NewColumns(1, "averaged together", "groups", "smallest", "largest", "loss SSE/SST")
	released := make([][]string, len(columns))
	for _, names := range groups {
		part := sets.Each(names, x.place)
		group, err := masking.MDAV(cmd.Context(), pick(x.x, part), m.k)
		if err != nil {
			return err
		}
		out := document.Averaged{Columns: names, Loss: m.average(x, part, group, released)}
		sizes := map[int32]int64{}
		for _, g := range group {
			sizes[g]++
		}
		out.Groups, out.Smallest, out.Largest = int64(len(sizes)), int64(x.n), 0
		for _, n := range sizes {
			out.Smallest, out.Largest = min(out.Smallest, n), max(out.Largest, n)
		}
		doc.Groups = append(doc.Groups, out)
		t.Add(strings.Join(names, ", "), fmt.Sprint(out.Groups), fmt.Sprint(out.Smallest), fmt.Sprint(out.Largest), fmt.Sprintf("%.4f", out.Loss))
	}
	d.list(t)
	doc.K = least(released)
	if len(groups) == 1 {
		d.atLeast("k", uint64(m.k), doc.K)
	} else if doc.K < uint64(m.k) {
		cli.Note(cmd.ErrOrStderr(), "columns that are not averaged together tell more together: by all of them k is %d", doc.K)
	}
	names, err := risk.Header(args[0], m.layout())
	if err != nil {
		return err
	}
	doc.Untouched = m.beside.sayRest(cmd, names, columns)
	if doc.SetWritten(len(m.beside.found) == 0); len(m.beside.found) > 0 {
		cli.Note(cmd.ErrOrStderr(), "nothing is written")
	} else if err := m.save(cmd, args[0], columns, released); err != nil {
		return err
	}
	return d.print(cmd, &m.out)
}

// save writes the records with the averages in place of their values.
func (m *microaggregate) save(cmd *cobra.Command, path string, columns []string, released [][]string) error {
	rng, err := m.order.rng(cmd, path, m.path)
	if err != nil {
		return err
	}
	release := risk.Release{KeepOrder: rng == nil, Drop: m.beside.drop}
	return formats.SaveAs(private.Release, m.path, func(w io.Writer) error {
		return risk.Replace(cmd.Context(), w, path, m.layout(), columns, release, rng, inOrder(released))
	})
}

// inOrder returns a function that replaces each record's values by its own of texts, by column.
func inOrder(texts [][]string) func([]string) ([]string, error) {
	i, to := 0, make([]string, len(texts))
	return func([]string) ([]string, error) {
		for c := range texts {
			if i >= len(texts[c]) {
				return nil, i18n.New("the file has changed since it was read first")
			}
			to[c] = texts[c][i]
		}
		i++
		return to, nil
	}
}

// pick returns some elements of a list.
func pick[T any](list []T, at []int) (some []T) {
	for _, k := range at {
		some = append(some, list[k])
	}
	return some
}

// average sets the released values of columns, the exact average of each group rounded half to even, and returns the
// loss Σ (x−x′)²/s² relative to that with a single average for all.
func (m *microaggregate) average(x *numbers, part []int, group []int32, released [][]string) float64 {
	lost, all := 0.0, 0.0
	for _, c := range part {
		digits := m.digits
		if digits < 0 {
			digits = x.scale[c]
		}
		sums, sizes := map[int32]*big.Int{}, map[int32]int64{}
		total := new(big.Int)
		for i, g := range group {
			if sums[g] == nil {
				sums[g] = new(big.Int)
			}
			v := big.NewInt(x.scaled[c][i])
			sums[g].Add(sums[g], v)
			total.Add(total, v)
			sizes[g]++
		}
		texts, means := map[int32]string{}, map[int32]float64{}
		for g, sum := range sums {
			texts[g] = rounded(new(big.Rat).SetFrac(sum, big.NewInt(sizes[g])), x.scale[c], digits)
			means[g], _ = strconv.ParseFloat(texts[g], 64)
		}
		mean, _ := new(big.Rat).SetFrac(total, big.NewInt(int64(x.n))).Float64()
		mean /= pow10(x.scale[c])
		within, between := 0.0, 0.0
		released[c] = make([]string, x.n)
		for i, g := range group {
			released[c][i] = texts[g]
			v := x.x[c][i]
			within += float64((v - means[g]) * (v - means[g]))
			between += float64((v - mean) * (v - mean))
		}
		if between > 0 {
			lost += within / between
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return lost / all
}

// rounded returns v·10^−scale with some decimals, rounded half to even.
func rounded(v *big.Rat, scale, digits int) string {
	ten := func(n int) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
	}
	v.Mul(v.Quo(v, ten(scale)), ten(digits))
	q, r := new(big.Int).DivMod(v.Num(), v.Denom(), new(big.Int))
	if half := r.Lsh(r, 1).Cmp(v.Denom()); half > 0 || half == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	if q.IsInt64() {
		return table.FormatDecimal(q.Int64(), digits)
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(q), ten(digits)).FloatString(digits)
}

// pow10 is 10^n.
func pow10(n int) float64 {
	x, _ := strconv.ParseFloat("1e"+strconv.Itoa(n), 64)
	return x
}

// least returns the size of the smallest class of records with the same texts.
func least(texts [][]string) (k uint64) {
	count := map[string]uint64{}
	for i := range texts[0] {
		var key strings.Builder
		for c := range texts {
			fmt.Fprintf(&key, "%q,", texts[c][i])
		}
		count[key.String()]++
	}
	for _, n := range count {
		if k == 0 || n < k {
			k = n
		}
	}
	return k
}
