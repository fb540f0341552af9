package arb

import (
	"fmt"
	"os"

	"github.com/hitoku/hitoku/table/argus"
)

// refuse fails where an output called path would overwrite an input of the batch, by the identity of
// the file.
func (b *batch) refuse(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	inputs := []string{b.file}
	for _, in := range b.inputs {
		inputs = append(inputs, in, argus.MetadataOf(in))
	}
	for _, in := range inputs {
		if other, err := os.Stat(in); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("%s would overwrite the input %s", path, in)
		}
	}
	return nil
}
