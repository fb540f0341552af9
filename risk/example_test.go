package risk_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/risk"
)

const patients = `zip,age,disease
130,30,cold
130,30,flu
145,40,cold
145,40,cold
`

// A file is read once, by several workers, into an accumulator.
func ExampleScanner() {
	columns, err := risk.NewColumns("zip", "age", "disease")
	if err != nil {
		log.Fatal(err)
	}
	s, err := risk.NewScanner(risk.Layout{}, columns, nil, func() *risk.Sensitive { return risk.NewSensitive(columns, 2) })
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Read(context.Background(), strings.NewReader(patients), "patients.csv"); err != nil {
		log.Fatal(err)
	}
	classes, err := s.Result()
	if err != nil {
		log.Fatal(err)
	}
	k, err := classes.KAnonymity(risk.Missing{}, 0)
	if err != nil {
		log.Fatal(err)
	}
	l, err := classes.LDiversity(risk.Missing{}, false, nil, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("k", k.K, "l", l[0].Distinct, "at", l[0].Worst[0].Tuple)
	// Output: k 2 l 1 at [145 40]
}

// Parts of the records may be counted on different machines and sent as bytes.
func ExampleClasses_Merge() {
	part := func(records ...[]string) *risk.Classes {
		columns, err := risk.NewColumns("zip", "age")
		if err != nil {
			log.Fatal(err)
		}
		c := risk.NewClasses(columns, 2)
		for _, r := range records {
			if err := c.Add(r...); err != nil {
				log.Fatal(err)
			}
		}
		return c
	}
	sent, err := part([]string{"145", "40"}, []string{"130", "30"}).MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	var received risk.Classes
	if err := received.UnmarshalBinary(sent); err != nil {
		log.Fatal(err)
	}
	all := part([]string{"145", "40"}, []string{"130", "35"})
	if err := all.Merge(&received); err != nil {
		log.Fatal(err)
	}
	k, err := all.KAnonymity(risk.Missing{}, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range k.Histogram {
		fmt.Println(s.Classes, "classes of", s.Size)
	}
	// Output:
	// 2 classes of 1
	// 1 classes of 2
}
