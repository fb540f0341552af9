package nats

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A ServerConfig describes a server inside this process.
type ServerConfig struct {
	Listen    string // host:port; port 0 or -1: any free port
	Dir       string // where the queue and the stores are kept
	Token     string // token that clients must present
	Cert, Key string // files; if set, clients must use TLS
	CA        string // file; if set, clients must present a certificate signed by it
}

// ErrOpen is returned if the token and tables would cross a network unencrypted.
var ErrOpen = errors.New("refusing to listen beyond this machine without TLS: give --tls-cert and --tls-key")

// Serve starts a server. Clients must present its token even on this machine, where there may be other users.
// The server listens beyond the loopback interface only with TLS. The caller shuts it down.
func Serve(c ServerConfig) (*server.Server, error) {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < -1 || n > 65535 {
		return nil, fmt.Errorf("listen: port %q", port)
	}
	if n == 0 {
		n = server.RANDOM_PORT
	}
	switch {
	case c.Cert == "" && !loopback(host):
		return nil, fmt.Errorf("%s: %w", c.Listen, ErrOpen)
	case c.Token == "":
		return nil, fmt.Errorf("%s: %w", c.Listen, ErrNoToken)
	}
	o := &server.Options{
		ServerName: "hitoku", Host: host, Port: n, JetStream: true, StoreDir: c.Dir,
		Authorization: c.Token, NoLog: true, NoSigs: true, DontListen: false,
	}
	switch {
	case c.Cert != "":
		o.TLS, o.TLSVerify = true, c.CA != ""
		o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: c.Cert, KeyFile: c.Key, CaFile: c.CA, Verify: c.CA != ""})
		if err != nil {
			return nil, err
		}
	case c.CA != "":
		return nil, errors.New("client certificates need a certificate and key of the server")
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("%s: the server does not start; is the port free?", c.Listen)
	}
	return s, nil
}
