package bench

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/hitoku/hitoku/table"
)

// microdataHeader names the columns of WriteMicrodata.
const microdataHeader = "industry,region,size,form,turnover,staff,weight,holding,request"

// WriteMicrodata writes n random records as CSV, one line each, drawn from seed, identical on every machine. industry
// has five digits, whose first two, three, four and five form a hierarchy (about 2,400 codes at the lowest level);
// region has 4 × 25 codes, grouped by the first digit; size and form are flat, with 9 and 5 codes. turnover has two
// decimals and spans seven powers of ten; a holding is one to four consecutive records, in several regions.
func WriteMicrodata(w io.Writer, n int64, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0x68697466))
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintln(b, microdataHeader)
	var line []byte
	left, holding := 0, 0
	var industry, region int
	for range n {
		if left == 0 {
			holding++
			left = 1 + int(r.Uint64N(4))
			industry = (10+r.IntN(60))*1000 + (1+r.IntN(4))*100 + (r.IntN(4))*10 + r.IntN(3)
			region = (1+r.IntN(4))*100 + r.IntN(25)
		} else if r.Uint64N(3) == 0 {
			region = (1+r.IntN(4))*100 + r.IntN(25)
		}
		left--
		turnover := int64(1 + r.Uint64N(1<<(4+r.Uint64N(28))))
		line = strconv.AppendInt(line[:0], int64(industry), 10)
		line = strconv.AppendInt(append(line, ','), int64(region), 10)
		line = strconv.AppendInt(append(line, ",s"...), 1+r.Int64N(9), 10)
		line = append(line, ',', "abcde"[r.IntN(5)], ',')
		line = append(line, table.FormatDecimal(turnover, 2)...)
		line = strconv.AppendInt(append(line, ','), 1+turnover/10_000, 10)
		line = append(line, ',')
		line = append(line, table.FormatDecimal(10+r.Int64N(90), 1)...)
		line = strconv.AppendInt(append(line, ",h"...), int64(holding), 10)
		line = append(line, ',', "00000000012"[r.IntN(11)], '\n')
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
