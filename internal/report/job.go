package report

import (
	"cmp"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/private"
)

// Files of a job in its office's folder, beside the journals.
const (
	ResultsName = "results.jsonl"
	indexName   = "index.html"
)

// SaveJob writes the results and the index of a finished job to its office's folder, and removes unfinished
// files of killed runs from there and from the folder of what is published. The index is in language lang, "en"
// or "ja".
func SaveJob(lang string, job *batch.Job, entries []*batch.Entry, sum *batch.Summary) error {
	dir := job.OfficeDir()
	err := private.Make(dir)
	if err != nil {
		return err
	}
	err = formats.Save(filepath.Join(dir, ResultsName), func(w io.Writer) error { return batch.WriteResults(w, entries) })
	if err == nil {
		err = formats.Save(filepath.Join(dir, indexName), func(w io.Writer) error { return writeJob(w, lang, job, entries, sum) })
	}
	if err == nil {
		err = formats.RemoveParts(dir)
	}
	if _, none := os.Stat(job.Output); err == nil && none == nil {
		err = formats.RemoveParts(job.Output)
	}
	return err
}

// jobPage is the data of job.html.
type jobPage struct {
	words
	Lang    string
	Title   string
	Summary *batch.Summary
	Rows    []jobRow
	Altered bool // some tables were rounded or adjusted
}

// A jobRow is a table of a job. The numbers are written as in its report.
type jobRow struct {
	Input, Link, Why                                        string
	Exit                                                    int
	Status, Cells, Sensitive, Secondary, Cost, Bound, Audit string
}

// writeJob writes the index of a job: for each table a line with a link, relative to the office's folder, to
// its result. Entries that are nil are left out. It contains costs and bounds, and says that it is for the
// office only.
func writeJob(w io.Writer, lang string, job *batch.Job, entries []*batch.Entry, sum *batch.Summary) error {
	said, err := wordsOf(lang, "job")
	if err != nil {
		return err
	}
	p := jobPage{words: said, Lang: lang, Title: "hitoku batch " + filepath.Base(job.File), Summary: sum}
	for _, e := range entries {
		if e == nil {
			continue
		}
		row := jobRow{Input: e.Input, Why: e.Why, Exit: e.Exit}
		if e.Output != "" {
			if rel, err := filepath.Rel(job.OfficeDir(), e.Output); err == nil {
				row.Link = (&url.URL{Path: filepath.ToSlash(rel)}).String()
			}
		}
		if r := e.Report; r != nil {
			text := func(s string) string { return cmp.Or(s, unknown) }
			row.Status, row.Audit, row.Cells = text(r.Status), text(string(r.Audit)), strconv.Itoa(r.Cells)
			row.Sensitive, row.Secondary, row.Cost, row.Bound = strconv.Itoa(r.Sensitive), strconv.Itoa(r.Secondary), text(string(r.Cost)), text(string(r.Bound))
		}
		if a := e.Altered; a != nil {
			p.Altered = true
			row.Status, row.Cells, row.Sensitive, row.Secondary = a.Status, strconv.Itoa(a.Size), strconv.Itoa(a.Sensitive), strconv.Itoa(a.Changed)
			row.Cost, row.Bound = cmp.Or(string(a.Distance), unknown), cmp.Or(string(a.Bound), unknown)
			if a.Learned != nil {
				row.Audit = string(a.Learned.Verdict)
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return execute(w, "job.html", p)
}
