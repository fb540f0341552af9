package main

import (
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// marginsValue is --margins: withhold, publish or weight:F.
type marginsValue struct{ r *ruleFlags }

func (v marginsValue) Type() string { return "withhold|publish|weight:F" }

func (v marginsValue) String() string {
	switch {
	case v.r == nil:
		return ""
	case v.r.factor != nil:
		return "weight:" + v.r.factor.String()
	}
	return v.r.margins
}

func (v marginsValue) Set(s string) error {
	v.r.margins, v.r.factor = s, nil
	text, weight := strings.CutPrefix(s, "weight:")
	if !weight {
		if s != "withhold" && s != "publish" {
			return fmt.Errorf("want withhold, publish or weight:F")
		}
		return nil
	}
	f, err := table.ParseDecimal(text)
	if err != nil || f.Unscaled <= 0 {
		return fmt.Errorf("want weight:F with a number F above 0")
	}
	v.r.margins, v.r.factor = "weight", &f
	return nil
}
