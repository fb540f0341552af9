package tabulate

import "github.com/hitoku/hitoku/table"

// number parses an exact amount u·10^−scale; trailing zeros of the decimals count as decimals. Anything but plain
// digits takes the slow path.
func number(b []byte) (u int64, scale int, err error) {
	i, neg := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		i = 1
	}
	if len(b)-i > 17 || len(b) == i {
		return slowNumber(b)
	}
	point := -1
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && point < 0 {
			point = i
			continue
		}
		if c < '0' || c > '9' {
			return slowNumber(b)
		}
		u = u*10 + int64(c-'0')
	}
	if point >= 0 {
		if scale = len(b) - 1 - point; scale > table.MaxDecimals || u == 0 {
			return slowNumber(b) // also for a decimal mark without digits
		}
	}
	if neg {
		u = -u
	}
	return u, scale, nil
}

func slowNumber(b []byte) (int64, int, error) {
	d, err := table.ParseDecimal(string(b))
	return d.Unscaled, d.Scale, err
}
