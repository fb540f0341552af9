// Package recordkey has record keys and their sums: fractions of 1 with 18 decimals, held as integers modulo
// 10^18. Sums wrap around, so they are exact and do not depend on the order. Whoever knows the keys can remove
// the noise of the cell key method.
package recordkey

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math/big"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/seed"
)

// Modulus is 1 in units of a key.
const Modulus = 1_000_000_000_000_000_000

// Decimals is the number of decimals of a key.
const Decimals = 18

// Key is a record key or the sum of several, less than Modulus.
type Key uint64

// Add returns the fractional part of a + b.
func Add(a, b Key) Key {
	if s := a + b; s < Modulus {
		return s
	}
	return a + b - Modulus
}

// String returns the key as a decimal fraction without trailing zeros.
func (a Key) String() string { return Text(a, 0) }

// Text returns the key with at least so many decimals.
func Text(a Key, decimals int) string {
	s := strconv.FormatUint(uint64(a)+Modulus, 10)[1:]
	n := len(s)
	for n > decimals && s[n-1] == '0' {
		n--
	}
	if n == 0 {
		return "0"
	}
	return "0." + s[:n]
}

// ErrKey says what Parse accepts.
var ErrKey = i18n.New("want a record key: a number from 0 to 1 with at most 18 decimals")

// Parse reads a decimal fraction from 0 to 1; 1 is read as 0, since the integer part of a sum does not count.
func Parse(text string) (Key, error) {
	whole, frac, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if strings.ContainsAny(text, "eE") {
		return parseFloat(text)
	}
	frac = strings.TrimRight(frac, "0")
	if strings.Trim(whole, "0") == "1" && frac == "" && strings.TrimLeft(whole, "0") == "1" {
		return 0, nil
	}
	if strings.Trim(whole, "0") != "" || len(frac) > Decimals || whole == "" && frac == "" && !strings.Contains(text, "0") {
		return 0, ErrKey
	}
	v := uint64(0)
	for k := range Decimals {
		d := byte('0')
		if k < len(frac) {
			d = frac[k]
		}
		if d < '0' || d > '9' {
			return 0, ErrKey
		}
		v = 10*v + uint64(d-'0')
	}
	return Key(v), nil
}

// parseFloat reads numbers such as 1e-05.
func parseFloat(text string) (Key, error) {
	if _, exp, _ := strings.Cut(strings.ToLower(text), "e"); len(exp) > 4 {
		return 0, ErrKey
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok || x.Sign() < 0 || x.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, ErrKey
	}
	x.Mul(x, new(big.Rat).SetInt64(Modulus))
	if !x.IsInt() {
		return 0, ErrKey
	}
	return Key(x.Num().Uint64() % Modulus), nil
}

// A Keyed computes the key of a record from its identifier by a keyed hash (HMAC-SHA-256). It is for use by one
// goroutine.
type Keyed struct {
	mac hash.Hash
	sum []byte
}

// NewKeyed returns the hash with a secret.
func NewKeyed(secret string) *Keyed { return newKeyed("record keys", secret) }

func newKeyed(purpose, secret string) *Keyed {
	key := seed.Key(purpose, secret)
	return &Keyed{mac: hmac.New(sha256.New, key[:])}
}

// A Mixer computes keys of cells from sums of record keys by a keyed hash. The same sum gives the same key, and
// the key of a sum tells nothing about keys of its parts. It is for use by one goroutine.
type Mixer struct{ k *Keyed }

// NewMixer returns the hash with a secret.
func NewMixer(secret string) *Mixer { return &Mixer{newKeyed("cell keys", secret)} }

// Of returns the key for a sum.
func (m *Mixer) Of(sum Key) Key {
	return m.k.Of(binary.BigEndian.AppendUint64(nil, uint64(sum)))
}

// Of returns the key of a record. Without the secret it looks uniformly random; with it, it is always the same.
func (k *Keyed) Of(id []byte) Key {
	const most = 18 * Modulus // the largest multiple below 2^64, so that all remainders are equally likely
	k.mac.Reset()
	k.mac.Write(id)
	for {
		k.sum = k.mac.Sum(k.sum[:0])
		for n := 0; n+8 <= len(k.sum); n += 8 {
			if v := binary.BigEndian.Uint64(k.sum[n:]); v < most {
				return Key(v % Modulus)
			}
		}
		k.mac.Write(k.sum) // happens once in some 10^7 records
	}
}
