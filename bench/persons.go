package bench

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
)

// personsHeader names the columns of writePersons with four quasi-identifiers.
const personsHeader = "id,region,age,sex,occupation,income,weight"

// further are the numbers of values of the quasi-identifiers beyond the fourth.
var further = []int64{8, 5, 20, 9, 12, 15}

// writePersons writes n random records of persons as CSV, one line each, drawn from seed, identical on every machine.
// There are 47 regions, ages 0 to 99, two sexes and 80 occupations: 752,000 combinations of about equal probability.
// income is one of 1,000 values, weight from 10.0 to 99.9; a person has one record, or two in a tenth of the cases.
// Ages and occupations are blank with probability missing each. Columns beyond the fourth have a few frequent values
// and rare ones.
func writePersons(w io.Writer, n int64, columns int, seed uint64, missing float64) error {
	r := rand.New(rand.NewPCG(seed, 0x706572736f6e))
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintln(b, strings.Join(append([]string{personsHeader}, riskQI[4:columns]...), ","))
	blank := uint64(missing * (1 << 32))
	var line []byte
	id := int64(0)
	for range n {
		if r.IntN(10) > 0 {
			id++
		}
		line = strconv.AppendInt(append(line[:0], 'p'), id, 10)
		line = strconv.AppendInt(append(line, ','), 1+r.Int64N(47), 10)
		line = append(line, ',')
		if age := r.Int64N(100); r.Uint64()>>32 >= blank {
			line = strconv.AppendInt(line, age, 10)
		}
		line = strconv.AppendInt(append(line, ','), 1+r.Int64N(2), 10)
		line = append(line, ',')
		if occupation := 100 + r.Int64N(80); r.Uint64()>>32 >= blank {
			line = strconv.AppendInt(line, occupation, 10)
		}
		line = strconv.AppendInt(append(line, ','), 10_000*r.Int64N(1000), 10)
		weight := 100 + r.Int64N(900)
		line = strconv.AppendInt(append(line, ','), weight/10, 10)
		line = append(line, '.', byte('0'+weight%10))
		for _, n := range further[:columns-4] {
			line = strconv.AppendInt(append(line, ','), r.Int64N(1+r.Int64N(n)), 10)
		}
		line = append(line, '\n')
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
