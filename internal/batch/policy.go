package batch

import (
	"fmt"
	"os"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// spread replaces options that name a policy by the fields of that policy, so that the fields, and the files
// they name, are among the options of each table. Other options beside a policy override it.
func (j *Job) spread() error {
	if key, err := spread(j.Options); err != nil {
		return &JobError{File: j.File, Key: "options." + key, Want: i18n.T("%s", err)}
	}
	for n := range j.Override {
		if key, err := spread(j.Override[n].Options); err != nil {
			return &JobError{File: j.File, Key: fmt.Sprintf("override[%d].options.%s", n+1, key), Want: i18n.T("%s", err)}
		}
	}
	return nil
}

// policyOption is the option that names a policy.
const policyOption = "policy"

func spread(options map[string][]string) (key string, err error) {
	files := options[policyOption]
	if len(files) == 0 {
		delete(options, policyOption)
		return "", nil
	}
	if len(files) > 1 {
		return policyOption, i18n.Errorf("want one file, not %d", len(files))
	}
	in, err := os.Open(files[0])
	if err != nil {
		return policyOption, err
	}
	defer in.Close()
	p, c, err := protect.Read(in, files[0])
	if err != nil {
		return policyOption, err
	}
	for _, field := range append(p.Fields(), c.Fields()...) {
		if _, own := options[field.Name]; !own && field.Texts() != nil {
			options[field.Name] = field.Texts()
		}
	}
	delete(options, policyOption)
	return "", nil
}
