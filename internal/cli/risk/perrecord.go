package risk

import (
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// A perRecordFlag is a file with a line for each record.
type perRecordFlag struct{ path string }

// flag returns --per-record, which excludes some other flags.
func (p *perRecordFlag) flag(not ...string) flags.Flag {
	return flags.Flag{Name: "per-record", To: &p.path, Files: []string{"csv"}, Writes: true, Excludes: not,
		Text: "`file` to write with a line for each record: its line, its class, and what the measure says of it. Not for publication"}
}

// write writes the file, reading the input files once more.
func (p *perRecordFlag) write(cmd *cobra.Command, files []string, l risk.Layout, c *risk.Classes, more []string, columns ...risk.RecordColumn) error {
	switch {
	case p.path == "":
		return nil
	case slices.ContainsFunc(files, func(path string) bool { return path == "-" || flags.IsParquet(path) }):
		return i18n.New("--per-record reads the records twice, which standard input and Parquet files do not allow; give a CSV file")
	}
	return formats.Save(p.path, func(w io.Writer) error { return c.WriteRecords(cmd.Context(), w, files, l, more, columns) })
}

// frequencyColumn returns a column of f, empty for records that are left out.
func frequencyColumn(f []uint64) risk.RecordColumn {
	return risk.RecordColumn{Name: "f", Text: func(g int, _ []string) string {
		if f[g] == 0 {
			return ""
		}
		return strconv.FormatUint(f[g], 10)
	}}
}
