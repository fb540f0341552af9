package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/argus"
)

// aprioriFlags change single cells of a table by a file, after the rules.
type aprioriFlags struct {
	file           string
	separator      string
	ignore, expand bool
}

func (a *aprioriFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&a.file, "apriori", "", "change cells by this τ-ARGUS a-priori `file` (.hst), after the rules")
	f.StringVar(&a.separator, "apriori-separator", "", "what separates its fields (default: semicolon, comma or tab, as its first line has)")
	f.BoolVar(&a.ignore, "apriori-ignore", false, "skip its lines that cannot be followed, and tell them")
	f.BoolVar(&a.expand, "apriori-expand", false, "repeat its changes along chains of codes with one child each")
	completeFiles(cmd, "apriori", "hst")
}

func (a *aprioriFlags) check() error {
	if a.file == "" && (a.separator != "" || a.ignore || a.expand) {
		return errors.New("--apriori-separator, --apriori-ignore and --apriori-expand need --apriori")
	}
	return nil
}

// apply changes the table. Cells made unsafe without levels get the manual margin of the
// rules, if there is one.
func (a *aprioriFlags) apply(t *table.Table, rules *table.Rules, words io.Writer) error {
	if a.file == "" {
		return nil
	}
	if len(t.Dims) == 0 {
		return fmt.Errorf("--apriori %s: names cells by codes, which this table does not have", a.file)
	}
	h, err := argus.ReadApriori(a.file, a.separator, len(t.Dims), "")
	if err != nil {
		return err
	}
	o := argus.AprioriOptions{Ignore: a.ignore, Expand: a.expand}
	if rules != nil && rules.Manual != nil {
		o.Manual = &table.Level{Decimal: *rules.Manual, Percent: true}
	}
	changed, skipped, err := h.Apply(t, o)
	if err != nil {
		return err
	}
	say(words, t, "%d cells changed by %s", changed, a.file)
	for n, e := range skipped {
		if n == 10 {
			say(words, t, "%d lines of %s more are skipped", len(skipped)-n, a.file)
			break
		}
		say(words, t, "skipped: %v", e)
	}
	return nil
}
