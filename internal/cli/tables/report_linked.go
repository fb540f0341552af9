package tables

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/table"
)

// link reads the tables of a page about linked tables, as hitoku suppress --linked does.
func (r *reporting) link(cmd *cobra.Command, paths []string, page *report.Protection) (names []string, err error) {
	published, err := r.publishedOf(paths)
	if err != nil {
		return nil, err
	}
	tables := make([]*table.Table, len(paths))
	hidden := make([][]bool, len(paths)) // by file: which cells it withholds
	told := make([][]int, len(paths))
	files := make([]string, len(paths))
	page.MarginsKept = true
	given := false // whether statuses show the sensitive cells
	r.inputs.Spare = true
	for k, path := range paths {
		in, err := r.inputs.Read(cmd, path, &r.rules)
		if err != nil {
			return nil, err
		}
		r.aside = r.aside || in.LeftAside
		r.open(in.Table)
		tables[k], files[k] = in.Table, path
		part := report.Part{Table: in.Table, File: filepath.Base(path)}
		if part.SHA256, err = formats.Digest(path); err != nil {
			return nil, err
		}
		if published != nil {
			pub, err := r.take(cmd, in, published[k])
			if err != nil {
				return nil, err
			}
			hidden[k], told[k], files[k] = pub.withheld, pub.told, published[k]
			part.Published, part.PublishedSHA256 = filepath.Base(published[k]), pub.sum
		} else {
			hidden[k] = WithheldCells(in.Table)
		}
		if r.rules.Policy.PublishesMargins(flags.InputOf(in).CrossTab) {
			in.Table.PublishMargins()
		} else {
			page.MarginsKept = false
		}
		given = given || in.Told
		r.unsaid = r.unsaid || in.Unsaid
		page.Linked = append(page.Linked, part)
		names = append(names, in.Table.Name)
	}
	l, err := table.Link(strings.Join(names, "+"), tables)
	if err != nil {
		return nil, err
	}
	t := l.Table
	if err := r.inputs.Named(t); err != nil {
		return nil, err
	}
	page.Table, names = t, []string{t.Name}
	for k := range page.Linked {
		page.Linked[k].Cell = l.Cell[k]
	}
	if r.run == "" {
		if err := agree(l, hidden, files); err != nil {
			return nil, err
		}
	}
	if err := r.withholdRun(page.Table, names); err != nil {
		return nil, err
	}
	if page.Told, err = r.suspect(t, given); err != nil {
		return nil, i18n.Errorf("%s: %w", t.Name, err)
	}
	if err := r.rules.Mark(t, cmd.ErrOrStderr()); err != nil {
		return nil, err
	}
	var sensitive []int
	for k := range told {
		for _, i := range told[k] {
			sensitive = append(sensitive, int(l.Cell[k][i]))
		}
	}
	if err := r.add(t, sensitive, cmd.ErrOrStderr()); err != nil {
		return nil, i18n.Errorf("%s: %w", t.Name, err)
	}
	page.Withheld = WithheldCells(t)
	for k, part := range page.Linked {
		mask := make([]bool, part.Table.Len())
		for i, c := range l.Cell[k] {
			mask[i] = page.Withheld[c]
		}
		page.MarginsKept = page.MarginsKept && !withholdsMargin(part.Table, mask)
	}
	return names, nil
}

// agree returns an error for a cell that one file withholds and another publishes.
func agree(l *table.Linked, hidden [][]bool, files []string) error {
	by := make([]int, l.Len()) // 1 + the file that withholds the cell
	for k := range hidden {
		for i, c := range l.Cell[k] {
			if hidden[k][i] && by[c] == 0 {
				by[c] = k + 1
			}
		}
	}
	for k := range hidden {
		for i, c := range l.Cell[k] {
			if by[c] > 0 && !hidden[k][i] {
				return i18n.Errorf("%s: cell %s: published, but withheld in %s", files[k], l.CellName(int(c)), files[by[c]-1])
			}
		}
	}
	return nil
}
