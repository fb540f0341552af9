package bench

// printedTables is the number of tables of each size behind the printed figures.
const printedTables = 50

// A printedRow holds the figures for one size of table as printed in Minami (2024): 50 tables, cell values from a
// normal distribution with mean 15 and standard deviation 10, sensitive below 5, width 8. −1: not printed.
type printedRow struct {
	shape           string
	primary, unsafe int
	dimensions      [4]float64 // share of unsafe cells by dimension 1, 2, 3, 4
	widths          [8]int     // unsafe cells by width of the effective interval
}

var printed = []printedRow{
	{"4x4", 104, 48, [4]float64{0.83, 0.42, 0.17, -1}, [8]int{6, 6, 7, 20, 1, 0, 4, 4}},
	{"5x5", 170, 117, [4]float64{1.00, 0.71, 0.57, 0.83}, [8]int{16, 22, 23, 41, 6, 3, 5, 1}},
	{"6x6", 230, 190, [4]float64{1.00, 0.87, 0.78, 0.82}, [8]int{75, 33, 45, 31, 5, 0, 1, 0}},
	{"7x7", 271, 226, [4]float64{-1, 0.81, 0.89, 0.73}, [8]int{92, 33, 28, 57, 4, 4, 5, 3}},
}

// printedTotal is the printed share over all sizes by dimension 1, 2, 3, 4.
var printedTotal = [4]float64{0.88, 0.73, 0.75, 0.77}

// printedFor returns the printed row of a shape; nil unless e has all settings that the source states and the tables
// are not defended.
func (e *Experiment) printedFor(shape, cost string, defended bool) *printedRow {
	if e.Mean != 15 || e.SD != 10 || e.Below != 5 || e.Width != 8 || cost != "count" || defended {
		return nil
	}
	for k := range printed {
		if printed[k].shape == shape {
			return &printed[k]
		}
	}
	return nil
}
