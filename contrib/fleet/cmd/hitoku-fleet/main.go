// Command hitoku-fleet lets many machines work on one job of hitoku batch.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	nats "github.com/hitoku/hitoku/contrib/fleet"
	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
)

// exitCode ends the program with that code and without a message.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code):
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "hitoku-fleet:", err)
		os.Exit(2)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "hitoku-fleet",
		Short: "Let many machines work on one job of hitoku batch",
		Long: `One machine serves, any number work, and one submits a job file of hitoku batch:

  hitoku-fleet serve --listen 0.0.0.0:4222 --token-file token --tls-cert server.pem --tls-key server.key
  hitoku-fleet work --server tls://host:4222 --token-file token --tls-ca ca.pem      # on each machine
  hitoku-fleet submit --server tls://host:4222 --token-file token --tls-ca ca.pem job.toml

On one machine none of these flags is needed: serve draws a token, which the others find.
The server may also be a NATS server with JetStream that is there already. Whoever may connect
can read every table: let in only who may.`,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.AddCommand(newServe(), newWork(), newSubmit(), newStatus())
	return root
}

// token reads the token from a file or, without one, from the environment.
func token(file string) (string, error) {
	if file == "" {
		return os.Getenv(nats.TokenEnv), nil
	}
	return nats.ReadToken(file)
}

func newServe() *cobra.Command {
	c := nats.ServerConfig{}
	var tokenFile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Keep queue and results",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.Token, err = token(tokenFile); err != nil {
				return err
			}
			if c.Token == "" {
				_, port, err := net.SplitHostPort(c.Listen)
				if err == nil && (port == "0" || port == "-1") {
					return errors.New("a token for any free port has no place; give --token-file, or a port")
				}
				if c.Token, tokenFile, err = nats.OwnToken(port); err != nil {
					return err
				}
				fmt.Fprintln(cmd.ErrOrStderr(), "hitoku-fleet: clients of this user find the token in", tokenFile)
			}
			s, err := nats.Serve(c)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), s.ClientURL())
			<-cmd.Context().Done()
			s.Shutdown()
			s.WaitForShutdown()
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Listen, "listen", "127.0.0.1:4222", "`HOST:PORT` to listen on; port 0 is any free one. Beyond this machine only with --tls-cert")
	f.StringVar(&c.Dir, "store", "hitoku-fleet", "`folder` of queue, inputs and results")
	f.StringVar(&tokenFile, "token-file", "", "`file` with the token that clients must show (default: "+nats.TokenEnv+", else one in the user's folder of settings, which is drawn once)")
	f.StringVar(&c.Cert, "tls-cert", "", "`file` with the server's certificate: clients speak TLS")
	f.StringVar(&c.Key, "tls-key", "", "`file` with its key")
	f.StringVar(&c.CA, "tls-ca", "", "`file`: clients must show a certificate signed by this one")
	return cmd
}

// clientFlags say how to connect to a server.
type clientFlags struct {
	server, tokenFile string
	access            nats.Access
	wait              time.Duration
	hitoku            string
}

func (c *clientFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.server, "server", "nats://127.0.0.1:4222", "`URL` of the server")
	f.StringVar(&c.tokenFile, "token-file", "", "`file` with the token (default: "+nats.TokenEnv+", else that of a server on this machine)")
	f.StringVar(&c.access.CA, "tls-ca", "", "`file` of certificates by which the server is known")
	f.StringVar(&c.access.Cert, "tls-cert", "", "`file` with the own certificate")
	f.StringVar(&c.access.Key, "tls-key", "", "`file` with its key")
	f.DurationVar(&c.wait, "alive", nats.DefaultWait, "a worker silent for so long is taken for dead; the same for all of a fleet")
}

func (c *clientFlags) addHitoku(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.hitoku, "hitoku", "", "`path` of hitoku (default: beside this program, else in PATH)")
}

func (c *clientFlags) connect(ctx context.Context, name string) (_ *nats.Fleet, err error) {
	if c.wait < 100*time.Millisecond {
		return nil, fmt.Errorf("--alive %v: want 100ms or more", c.wait)
	}
	if c.access.Token, err = token(c.tokenFile); err == nil && c.access.Token == "" {
		c.access.Token, err = nats.FindToken(c.server)
	}
	if err != nil {
		return nil, err
	}
	return nats.Connect(ctx, c.server, name, &c.access, c.wait)
}

// program finds hitoku and asks it for its version.
func (c *clientFlags) program(ctx context.Context) (path, version string, err error) {
	if path = c.hitoku; path == "" {
		if self, err := os.Executable(); err == nil {
			path, _ = exec.LookPath(filepath.Join(filepath.Dir(self), "hitoku"))
		}
	}
	if path == "" {
		path = "hitoku"
	}
	if path, err = exec.LookPath(path); err != nil {
		return "", "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	version, err = nats.ProgramVersion(ctx, path)
	return path, version, err
}

func newWork() *cobra.Command {
	c := &clientFlags{}
	w := &nats.Worker{}
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Do tables until interrupted",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if w.Slots < 0 {
				return fmt.Errorf("--slots %d: want 0 or more", w.Slots)
			}
			if w.Slots == 0 {
				w.Slots = runtime.GOMAXPROCS(0)
			}
			if w.Hitoku, w.Version, err = c.program(cmd.Context()); err != nil {
				return err
			}
			host, _ := os.Hostname()
			f, err := c.connect(cmd.Context(), fmt.Sprintf("worker %s %d", host, os.Getpid()))
			if err != nil {
				return err
			}
			defer f.Close()
			w.Log = func(format string, args ...any) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s "+format+"\n", append([]any{time.Now().UTC().Format(time.RFC3339)}, args...)...)
			}
			return f.Work(cmd.Context(), w)
		},
	}
	c.add(cmd)
	c.addHitoku(cmd)
	cmd.Flags().IntVar(&w.Slots, "slots", 0, "tables at a time; 0 means one a processor")
	return cmd
}

func newSubmit() *cobra.Command {
	c := &clientFlags{}
	var retry, quiet bool
	var window int
	cmd := &cobra.Command{
		Use:   "submit JOB.toml",
		Short: "Have the fleet do a job of hitoku batch, and fetch the results",
		Long: `Queue every table of a job file of hitoku batch, wait, and write the folder of results
as hitoku batch does, byte for byte. Interrupted or killed, the same command goes on: workers
keep working, and what is done is not done again. timeout and memory of the job file have no
effect here: the time limit is an option of a table, and a table's memory its worker's.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if window < 1 {
				return fmt.Errorf("--window %d: want 1 or more", window)
			}
			hitoku, version, err := c.program(cmd.Context())
			if err != nil {
				return err
			}
			f, err := c.connect(cmd.Context(), fmt.Sprintf("submitter %d", os.Getpid()))
			if err != nil {
				return err
			}
			defer f.Close()
			return submit(cmd, f, args[0], hitoku, version, window, retry, quiet)
		},
	}
	c.add(cmd)
	c.addHitoku(cmd)
	cmd.Flags().IntVar(&window, "window", 1000, "tables in the queue at a time")
	cmd.Flags().BoolVar(&retry, "retry", false, "do tables again that failed or met a limit")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "do not count on standard error")
	return cmd
}

func submit(cmd *cobra.Command, f *nats.Fleet, file, hitoku, version string, window int, retry, quiet bool) error {
	ctx := cmd.Context()
	job, err := batch.ReadJob(file)
	if err != nil {
		return err
	}
	if job.Ledger != "" {
		return &batch.JobError{File: file, Key: "ledger", Want: i18n.T("its tables are done one after another, which many machines do not make quicker; use hitoku batch")}
	}
	if err := os.Chdir(filepath.Dir(file)); err != nil {
		return err
	}
	tasks, err := job.Plan(batch.Shard{})
	if err != nil {
		return err
	}
	checked := map[string]bool{}
	for _, t := range tasks {
		err := nats.CheckOptions(t)
		if id := strings.Join(t.Args(), "\x00"); err == nil && !checked[id] {
			checked[id] = true
			err = parses(ctx, hitoku, t)
		}
		if err != nil {
			return &batch.JobError{File: file, Key: "options of " + t.Input, Want: i18n.T("%s", err)}
		}
	}
	if job.Timeout > 0 || job.Memory > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "hitoku-fleet: timeout and memory of the job have no effect in a fleet; use the option time-limit")
	}
	journal, err := batch.OpenJournal(job.OfficeDir(), batch.Shard{})
	if err != nil {
		return err
	}
	defer journal.Close()
	s, err := f.Submitter(ctx, version, retry)
	if err != nil {
		return err
	}
	defer s.Close()
	o := batch.Options{Do: s.Do, Workers: min(window, len(tasks)), Version: version, Retry: retry}
	if !quiet {
		next := time.Now()
		o.Progress = func(p batch.Progress) {
			if now := time.Now(); now.After(next) || p.Done == p.Total {
				next = now.Add(5 * time.Second)
				fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d tables, %d failed\n", p.Done, p.Total, p.Failed)
			}
		}
	}
	switch err := batch.Run(ctx, tasks, journal, o); {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(cmd.ErrOrStderr(), "hitoku-fleet: interrupted; the same command goes on from here")
		return exitCode(3)
	case err != nil:
		return err
	}
	entries, sum, err := batch.Merge(tasks, job.OfficeDir(), version)
	if err != nil {
		return err
	}
	if sum.Missing > 0 {
		return fmt.Errorf("%d results are not what was written; run the same command again", sum.Missing)
	}
	if err := report.SaveJob("en", job, entries, sum); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d tables: %d done, %d not protectable, %d failed, %d stopped at a limit; see %s\n",
		sum.Tasks, sum.Done, sum.Exits[1], sum.Exits[2], sum.Exits[3], filepath.Join(job.OfficeDir(), report.ResultsName))
	for _, code := range []int{2, 1, 3} {
		if sum.Exits[code] > 0 {
			return exitCode(code)
		}
	}
	return nil
}

// parses has hitoku check the options of a task.
func parses(ctx context.Context, hitoku string, t *batch.Task) error {
	var words bytes.Buffer
	message, err := json.Marshal(&batch.Message{Input: t.Input, Output: t.Output, Options: t.Options, Check: true})
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, hitoku, "batch", "task")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(message), &words
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) && words.Len() > 0 {
		return errors.New(strings.TrimPrefix(strings.TrimSpace(words.String()), "hitoku: "))
	} else if err != nil {
		return err
	}
	return nil
}

func newStatus() *cobra.Command {
	c := &clientFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell how many tables wait, are worked on and are done, and which were given up",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := c.connect(cmd.Context(), "status")
			if err != nil {
				return err
			}
			defer f.Close()
			s, err := f.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return document.Write(cmd.OutOrStdout(), s)
			}
			return printStatus(cmd.OutOrStdout(), s)
		},
	}
	c.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printStatus(w io.Writer, s *nats.Status) error {
	fmt.Fprintf(w, "queued   %d\nrunning  %d (%d not for the first time)\nresults  %d\n", s.Queued, s.Running, s.Redelivered, s.Results)
	for _, d := range s.Dead {
		fmt.Fprintf(w, "dead     %s: %s\n", d.Key, d.Why)
	}
	return nil
}
