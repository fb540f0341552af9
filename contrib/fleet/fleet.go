package nats

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
)

// Names in JetStream.
const (
	streamName  = "HITOKU_TASKS"
	taskPrefix  = "hitoku.task."
	fileStore   = "HITOKU_FILES"
	resultStore = "HITOKU_RESULTS"
)

// Deliver is how many workers may attempt a table before it is given up.
const Deliver = 4

// TokenEnv is the environment variable with the token of server and clients.
const TokenEnv = "HITOKU_FLEET_TOKEN"

// Access says how a client authenticates: by the token, by a certificate, or by both.
type Access struct {
	Token     string
	CA        string // file of trusted certificates; empty: no TLS unless the URL asks for it
	Cert, Key string // files of the client's own certificate
}

// tls returns the configuration that the files of a describe, nil if there are none.
func (a *Access) tls() (*tls.Config, error) {
	if a.CA == "" && a.Cert == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13}
	if a.CA != "" {
		pem, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: no certificate in PEM", a.CA)
		}
	}
	if (a.Cert == "") != (a.Key == "") {
		return nil, errors.New("a certificate needs its key, and a key its certificate")
	}
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Cert, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// A Fleet is a connection to the server, with its stores.
type Fleet struct {
	conn    *natsgo.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	files   jetstream.ObjectStore
	results jetstream.ObjectStore
	wait    time.Duration // time within which a worker must signal that it is alive
}

// DefaultWait is the time without a signal after which a worker is taken to be dead.
const DefaultWait = 30 * time.Second

// Connect connects to the server at url, and makes the queue and the stores there if they do not exist. wait is
// the time without a signal after which a worker counts as dead; all members of a fleet must give the same. The
// server shows name.
func Connect(ctx context.Context, url, name string, a *Access, wait time.Duration) (*Fleet, error) {
	opts := []natsgo.Option{natsgo.Name(name), natsgo.MaxReconnects(-1), natsgo.ReconnectWait(time.Second), natsgo.RetryOnFailedConnect(false)}
	if a.Token != "" {
		opts = append(opts, natsgo.Token(a.Token))
	}
	conf, err := a.tls()
	if err != nil {
		return nil, err
	}
	if conf != nil {
		opts = append(opts, natsgo.Secure(conf))
	}
	conn, err := natsgo.Connect(url, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	f := &Fleet{conn: conn, wait: wait}
	if err := f.prepare(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return f, nil
}

func (f *Fleet) prepare(ctx context.Context) (err error) {
	if f.js, err = jetstream.New(f.conn); err != nil {
		return err
	}
	f.stream, err = f.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{taskPrefix + ">"}, Storage: jetstream.FileStorage,
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, // a table is queued only once
	})
	if err != nil {
		return err
	}
	for _, s := range []struct {
		to   *jetstream.ObjectStore
		name string
	}{{&f.files, fileStore}, {&f.results, resultStore}} {
		if *s.to, err = f.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: s.name, Storage: jetstream.FileStorage}); err != nil {
			return err
		}
	}
	return nil
}

// queue returns the queue from which workers with that version of hitoku take tables. Each version has its own,
// because results of different versions may not be those of one machine.
func (f *Fleet) queue(ctx context.Context, version string) (jetstream.Consumer, error) {
	return f.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "HITOKU_WORKERS_" + versionName(version), FilterSubject: taskPrefix + versionName(version) + ".*",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.wait,
		MaxDeliver: -1, MaxAckPending: -1, // workers count the attempts, and write dead letters
	})
}

// versionName returns a version in letters that are allowed in a subject.
func versionName(version string) string {
	sum := sha256.Sum256([]byte(version))
	return hex.EncodeToString(sum[:6])
}

// Close closes the connection.
func (f *Fleet) Close() { f.conn.Close() }

// A task is the message about one table. Paths are relative.
type task struct {
	Key     string              `json:"key"`
	Input   string              `json:"input"`
	Output  string              `json:"output"`
	Options map[string][]string `json:"options"` // options of hitoku suppress
	Files   map[string]string   `json:"files"`   // path → SHA-256
}

// A tree is the hierarchy of a dimension, in a file beside the output whose name begins like that of the
// output.
type tree struct {
	Name    string `json:"name"`
	Content []byte `json:"content"`
}

// isTree reports whether a file in the folder of the output has a name that trees of that output have.
func isTree(output, name string) bool {
	own := filepath.Base(formats.TreeFile(output, ""))
	own = strings.TrimSuffix(own, ".hrc")
	return filepath.Base(name) == name && strings.HasPrefix(name, own) && strings.HasSuffix(name, ".hrc") && len(name) > len(own)+len(".hrc")
}

// An outcome is the header of a stored result; the content of the output, if there is one, follows after a line
// feed.
type outcome struct {
	Exit   int                   `json:"exit"`
	Why    string                `json:"why,omitempty"`
	Report *document.BatchReport `json:"report,omitempty"`
	// Altered is present for a table that was rounded or adjusted.
	Altered *document.BatchAltered `json:"altered,omitempty"`
	Wrote   bool                   `json:"wrote,omitempty"`
	Trees   []tree                 `json:"trees,omitempty"` // the files written beside the output
	Dead    bool                   `json:"dead,omitempty"`
	Fault   bool                   `json:"fault,omitempty"` // a fault of the fleet, not of the table
}

// stored reports whether the store of files has one whose content, and not only its name, has that hash.
func (f *Fleet) stored(ctx context.Context, sum string) (bool, error) {
	info, err := f.files.GetInfo(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	b, err := hex.DecodeString(sum)
	return err == nil && info.Digest == "SHA-256="+base64.URLEncoding.EncodeToString(b), err
}

// has reports whether a store has an object.
func has(ctx context.Context, s jetstream.ObjectStore, name string) (bool, error) {
	_, err := s.GetInfo(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return false, nil
	}
	return err == nil, err
}
