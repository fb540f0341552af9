//go:build !js

package desk

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
)

// open serves until the page is closed or the context ends.
func open(cmd *cobra.Command, args []string, port string, stay, quiet bool, kept keeping, verb Verb) error {
	if port == "" {
		port = "0"
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return i18n.Errorf("--port %s: want a number from 0 to 65535", port)
	} else {
		port = strconv.FormatUint(n, 10)
	}
	d, err := newDesk(verb)
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.begin(args, kept); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" { // tables stay open for hours, so saving memory is worth a little time
		debug.SetGCPercent(30)
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return i18n.Errorf("--port %s: %w", port, err)
	}
	token, words := page.NewToken(), cmd.ErrOrStderr()
	to := "http://" + l.Addr().String() + "/"
	if quiet {
		cli.Note(words, "the page is %s#%s", to, token)
	} else {
		door, err := page.Doorstep(d.dir, to, token)
		if err == nil {
			err = browse(door)
		}
		if err != nil {
			cli.Note(words, "no browser could be opened; the page is %s#%s", to, token)
		} else {
			cli.Note(words, "the page is open on %s until it is closed, or Ctrl-C", to)
		}
	}
	return page.Serve(cmd.Context(), l, d, token, stay)
}

// browse opens a file in the browser of the user.
func browse(path string) error {
	name, args := "xdg-open", []string{path}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	go c.Wait()
	return nil
}
