package flags

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table/tableio"
)

// PolicyFile says where a policy is read from and written to.
type PolicyFile struct{ file, save string }

func (f *PolicyFile) Add(cmd *cobra.Command, p *protect.Policy) {
	fs := cmd.Flags()
	fs.StringVar(&f.file, "policy", "", "`FILE` with a policy, .json or TOML: values for flags that are not given")
	fs.BoolVar(&p.LevelsAsGiven, "levels-as-given", false, "ask nothing for sensitive cells without any level, as τ-ARGUS does")
	fs.MarkHidden("levels-as-given") // of policies
	CompleteFiles(cmd, "policy", "toml", "json")
}

// AddSave adds the flag of the file that is written.
func (f *PolicyFile) AddSave(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.save, "save-policy", "", "write the policy that the flags amount to, for --policy, to this `file`: .json or TOML")
	CompleteFiles(cmd, "save-policy", "toml", "json")
}

// Load gives the flags that are not given the values of the policy. Fields without a flag of this verb have no
// part in what it does.
func (f *PolicyFile) Load(cmd *cobra.Command) error {
	if f.file == "" {
		return nil
	}
	in, err := os.Open(f.file)
	if err != nil {
		return tableio.OSError(f.file, err)
	}
	defer in.Close()
	p, err := protect.Read(in, f.file)
	if err != nil {
		return err
	}
	texts := p.Texts()
	for _, field := range protect.Fields() {
		if cmd.Flags().Lookup(field) == nil || cmd.Flags().Changed(field) {
			continue
		}
		for _, text := range texts[field] {
			if err := cmd.Flags().Set(field, text); err != nil {
				return fmt.Errorf("%s: %w", f.file, cmp.Or(ValueError(err, ""), err))
			}
		}
	}
	return nil
}

// Write saves the policy if that is asked for.
func (f *PolicyFile) Write(p protect.Policy) error {
	if f.save == "" {
		return nil
	}
	return tableio.Save(f.save, func(w io.Writer) error { return p.Brief().Write(w, f.save) })
}
