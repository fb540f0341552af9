package risk_test

import (
	"context"
	"fmt"
	"log"
	"math/big"
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
	k, err := classes.KAnonymity(context.Background(), risk.Missing{}, 0)
	if err != nil {
		log.Fatal(err)
	}
	l, err := classes.LDiversity(context.Background(), risk.Missing{}, false, nil, 1)
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
			if err := c.Add(1, r...); err != nil {
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
	k, err := all.KAnonymity(context.Background(), risk.Missing{}, 0)
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

// Three persons share zip and age, two others do; nobody is alone, so k = 2.
func ExampleClasses_KAnonymity() {
	columns, err := risk.NewColumns("zip", "age")
	if err != nil {
		log.Fatal(err)
	}
	classes := risk.NewClasses(columns, 2)
	for _, r := range [][]string{{"476**", "2*"}, {"476**", "2*"}, {"476**", "2*"}, {"479**", "≥40"}, {"479**", "≥40"}} {
		if err := classes.Add(1, r...); err != nil {
			log.Fatal(err)
		}
	}
	k, err := classes.KAnonymity(context.Background(), risk.Missing{}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("k", k.K, "classes", k.Classes, "expected re-identifications", k.Reidentified)
	for _, w := range k.Worst {
		fmt.Println("worst", w)
	}
	// Output:
	// k 2 classes 2 expected re-identifications 2
	// worst {[479** ≥40] 2 2}
}

// Two attributes of 4 values each are randomised in 1,000 records: a value is kept with
// chance 1/2 and otherwise drawn anew. So it stays with chance 1/2 + 1/8 and becomes
// each other one with 1/8: for one attribute α = (1/8)/(5/8) = 1/5 and β = α² = 1/25,
// for both their squares. The release is Pk-anonymous with k = 1 + 999·β.
func ExampleRetention() {
	half := big.NewRat(1, 2)
	g := risk.Retention([]risk.Attribute{{Values: 4, Rho: half}, {Values: 4, Rho: half}})
	fmt.Println("α", g.Alpha.RatString(), "β", g.Beta.RatString())
	fmt.Println("k", g.K(1000, 1000).FloatString(2))
	// Output:
	// α 1/25 β 1/625
	// k 2.60
}
