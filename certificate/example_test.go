package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// The search writes a proof, which whoever has the table checks without a solver. About
// another table, here one with another price, it proves nothing.
func ExampleVerify() {
	in, err := tableio.Read("../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	if _, _, err := t.MinimumFrequency(5, false); err != nil {
		log.Fatal(err)
	}
	width := table.Level{Decimal: table.Decimal{Unscaled: 8}}
	if err := t.SetLevels(table.Levels{Width: &width}); err != nil {
		log.Fatal(err)
	}
	t.PublishMargins()
	ctx := context.Background()
	s, err := solver.Suppress(ctx, t, &solver.Options{Certificate: true})
	if err != nil {
		log.Fatal(err)
	}
	var proof bytes.Buffer
	if err := s.Certificate.Write(&proof); err != nil {
		log.Fatal(err)
	}

	r, err := certificate.Verify(ctx, bytes.NewReader(proof.Bytes()), t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("cost", r.Cost, "no pattern below", r.Bound)

	t.Cost[t.Len()-1]++
	_, err = certificate.Verify(ctx, &proof, t)
	var refuted *certificate.Refuted
	fmt.Println("of another table: refuted", errors.As(err, &refuted))
	// Output:
	// cost 25 no pattern below 25
	// of another table: refuted true
}
