package flags

import (
	"cmp"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// PolicyFile holds the files from which a policy is read and to which it is written.
type PolicyFile struct {
	file, save string

	Elsewhere bool // the verb learns from elsewhere what is already published
	Joins     bool // the policy read names such tables
	Read      protect.Policy
}

// Group returns the flag of the file that is read.
func (f *PolicyFile) Group(r *Rules) Group {
	return In(RulesGroup, []Flag{
		{Name: "policy", To: &f.file, Run: true, Files: []string{"toml", "json"}, Text: "`FILE` with a policy, .json or TOML: values for flags that are not given", More: "See [policy.md](policy.md)"},
		r.Flags(Fields{"levels-as-given"})[0],
	})
}

// SaveGroup returns the flag of the file that is written.
func (f *PolicyFile) SaveGroup() Group {
	return In(OutputGroup, []Flag{
		{Name: "save-policy", To: &f.save, Files: []string{"toml", "json"}, Writes: true, Text: "write the policy that the flags amount to, for --policy, to this `file`: .json or TOML"},
	})
}

// Load sets the flags that are not given to the values of the policy. Fields without a flag of this verb do not affect
// it.
func (f *PolicyFile) Load(cmd *cobra.Command) error {
	if f.file == "" {
		return nil
	}
	in, err := os.Open(f.file)
	if err != nil {
		return formats.OSError(f.file, err)
	}
	defer in.Close()
	p, c, err := protect.Read(in, f.file)
	if err != nil {
		return err
	}
	if verb, field := verbOf(&c); verb != "" && cmd.Flags().Lookup(field) == nil {
		return i18n.Errorf("%s: %s: this policy is for hitoku %s", f.file, field, verb)
	}
	joins := cmd.Flags().Lookup("ledger") != nil
	if Joins(&p) && !joins && !f.Elsewhere {
		return i18n.Errorf("%s: this policy names what is published already, of which hitoku %s knows nothing; leave out published, ledger and relations", f.file, cmd.Name())
	}
	f.Joins, f.Read = Joins(&p), p
	for _, field := range append(p.Fields(), c.Fields()...) {
		if cmd.Flags().Lookup(field.Name) == nil || cmd.Flags().Changed(field.Name) || field.Name == "published" && !joins {
			continue
		}
		for _, text := range field.Texts() {
			if err := cmd.Flags().Set(field.Name, text); err != nil {
				return i18n.Errorf("%s: %w", f.file, cmp.Or(ValueError(err, ""), err))
			}
		}
	}
	return nil
}

// Path returns the file that is read, "" if there is none.
func (f *PolicyFile) Path() string { return f.file }

// Write saves the policy if that is asked for.
func (f *PolicyFile) Write(p protect.Policy, c protect.Change) error {
	if f.save == "" {
		return nil
	}
	return formats.Save(f.save, func(w io.Writer) error { return protect.Write(w, f.save, p, c) })
}

// verbOf returns the verb that c is for, round or adjust, and the field that shows it; "" if there is none.
func verbOf(c *protect.Change) (verb, field string) {
	switch {
	case c.Base != nil:
		return "round", "base"
	case c.Norm != "":
		return "adjust", "norm"
	}
	return "", ""
}
