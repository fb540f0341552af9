// Command hitoku-duck writes records of Parquet files and of large text files as CSV. hitoku runs it if the
// name of an input ends in .parquet.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/hitoku/hitoku/contrib/duck"
)

const usage = `hitoku-duck reads records with DuckDB and writes them as CSV to standard output.

  hitoku-duck rows    [--column A --column B ...] FILE...             the records
  hitoku-duck classes --column A [--column B ...] [--count N] FILE... each combination of values once, and its number of records
  hitoku-duck sql     [--population FILE ...] FILE...  <QUERY          the rows of a query on the tables records and population, as JSON

A FILE is Parquet (.parquet) or text with a header (.csv, .tsv, also .gz), whose fields stay text.
hitoku runs it for inputs called .parquet; it must stand beside hitoku or in PATH.

With hitoku risk sql the last measures files of any size:

  hitoku risk sql k-anonymity --table records --qi region,age | hitoku-duck sql persons.parquet

Flags:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hitoku-duck:", err)
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string, out *os.File, words io.Writer) (code int, err error) {
	f := flag.NewFlagSet("hitoku-duck", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	var q duck.Query
	f.Func("column", "`name` of a column; repeatable (default: all)", func(name string) error {
		q.Columns = append(q.Columns, name)
		return nil
	})
	f.StringVar(&q.Count, "count", "count", "`name` of the column of counts that classes adds")
	f.IntVar(&q.Threads, "threads", 0, "how many threads; 0: one a core")
	f.StringVar(&q.Memory, "memory", "", "`limit` of memory, such as 4GB (default 80 % of the machine)")
	f.StringVar(&q.Spill, "spill", "", "`folder` for what does not fit (default: none)")
	help := func(w io.Writer) {
		io.WriteString(w, usage)
		f.SetOutput(w)
		f.PrintDefaults()
	}
	if len(args) == 0 {
		help(words)
		return 2, nil
	}
	verb := args[0]
	if verb == "-h" || verb == "--help" || verb == "help" {
		help(out)
		return 0, nil
	}
	var population duck.Query
	f.Func("population", "sql: `file` of the table population; repeatable", func(name string) error {
		population.Files = append(population.Files, name)
		return nil
	})
	do := map[string]func(context.Context, *os.File, duck.Query) error{"rows": duck.Rows, "classes": duck.Classes, "sql": func(ctx context.Context, out *os.File, q duck.Query) error {
		query, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		return duck.SQL(ctx, out, q, population, string(query))
	}}[verb]
	if do == nil {
		return 2, fmt.Errorf("%q: wanted rows, classes or sql", verb)
	}
	switch err := f.Parse(args[1:]); {
	case err == flag.ErrHelp:
		help(out)
		return 0, nil
	case err != nil:
		return 2, err
	}
	q.Files = f.Args()
	if err := do(ctx, out, q); err != nil {
		return 2, err
	}
	return 0, nil
}
