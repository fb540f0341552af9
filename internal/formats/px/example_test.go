package px_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
)

// A PC-Axis file is a table: dots stand for what is withheld.
func ExampleReadFrom() {
	in, err := px.ReadFrom(strings.NewReader(`
CHARSET="ANSI";
MATRIX="firms";
STUB="region";
HEADING="sector";
VALUES("region")="all","north","south";
VALUES("sector")="all","farming","trade";
DATA=
40 11 29
18 ".." ".."
22 ".." "..";
`), "firms.px", formats.Options{Total: "all"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	for i := range t.Len() {
		if t.Known(i) {
			fmt.Println(t.CellName(i), t.Value[i])
		} else {
			fmt.Println(t.CellName(i), "withheld")
		}
	}
	// Output:
	// all/all 40
	// all/farming 11
	// all/trade 29
	// north/all 18
	// north/farming withheld
	// north/trade withheld
	// south/all 22
	// south/farming withheld
	// south/trade withheld
}
