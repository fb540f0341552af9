package sdmx_test

import (
	"log"
	"os"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/sdmx"
)

// A table is written as SDMX-CSV. Values that its statuses withhold are not in it, and OBS_STATUS and CONF_STATUS say why.
func ExampleWrite() {
	in, err := formats.Read("../../../testdata/3x3-published.csv", formats.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	if err := sdmx.Write(os.Stdout, in.Table, formats.Style{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// STRUCTURE,STRUCTURE_ID,ACTION,地域,column,OBS_VALUE,OBS_STATUS,CONF_STATUS
	// dataflow,LOCAL:3x3-published(1.0),I,M1,P1,,Q,D
	// dataflow,LOCAL:3x3-published(1.0),I,M1,P2,24,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M1,P3,,Q,D
	// dataflow,LOCAL:3x3-published(1.0),I,M1,合計,72,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M2,P1,,Q,D
	// dataflow,LOCAL:3x3-published(1.0),I,M2,P2,38,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M2,P3,,Q,D
	// dataflow,LOCAL:3x3-published(1.0),I,M2,合計,116,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M3,P1,40,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M3,P2,39,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M3,P3,42,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,M3,合計,121,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,合計,P1,98,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,合計,P2,101,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,合計,P3,110,A,F
	// dataflow,LOCAL:3x3-published(1.0),I,合計,合計,309,A,F
}
