package tables

import (
	"cmp"
	"io"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/protect"
)

// defences returns the flags of patterns that resist an intruder who knows how they are chosen.
func (s *suppression) defences() flags.Group {
	return append(s.rules.Flags(flags.Fields{"defence", "public-weights", "defence-base", "defence-step", "defence-over", "defence-orders", "defence-epsilon", "defence-seed"}), flags.In(flags.DefenceGroup, []flags.Flag{
		s.secret.FileFlag(),
		{Name: "seed", To: &s.seed, Excludes: []string{"seed-file"}, Text: "seed `N` in place of --seed-file, for trials: others can read it on the command line and guess it; random are --defence random and the ends of --partial"},
	})...)
}

// checkSecret requires a secret if one is needed.
func (s *suppression) checkSecret(fs *pflag.FlagSet, inputs []string) error {
	p := &s.rules.Policy
	if fs.Changed("seed") {
		s.secret.Text = strconv.FormatUint(s.seed, 10)
	}
	switch {
	case p.Draws():
		return s.secret.Check(append(inputs, s.output, s.proof)...)
	case fs.Changed("seed-file"):
		return i18n.New("--seed-file: nothing but --defence random and the ends of --partial, unless they are plain, is random")
	}
	return nil
}

// draw returns the secret that draws the pattern, or the ends of intervals.
func (s *suppression) draw(words io.Writer) ([32]byte, error) {
	secret, err := s.secret.Secret(words)
	if err != nil {
		return [32]byte{}, err
	}
	return seed.Key("suppress", secret), nil
}

// decided returns a function that reports the progress of a defence now and then.
func decided(w io.Writer, kind defence.Kind) func(protect.Progress) {
	format := "%d of %d cells decided\n"
	if kind == defence.Random {
		format = "%d of %d orders done\n"
	}
	next := time.Now().Add(render.Pause)
	return func(p protect.Progress) {
		if now := time.Now(); now.After(next) {
			next = now.Add(render.Pause)
			render.Tell(w, format, p.Done, p.Total)
		}
	}
}

// newDefenceReport describes what the defence of a run did, nil if there was none.
func newDefenceReport(res *protect.Result) *document.Defence {
	d := res.Defence
	if d == nil {
		return nil
	}
	r := &document.Defence{Kind: string(d.Kind), Protected: d.Protected, Released: d.Released, Tests: d.Tests, Base: d.Base, Step: d.Step}
	if d.Guarantee != nil {
		r.Guarantee = d.Guarantee.String()
	}
	if d.Kind == defence.Random && d.Pattern != nil {
		public := res.Policy.DefenceSeed
		r.Over, r.Orders, r.Epsilon, r.Delta, r.Seed = string(d.Over), len(d.Costs), cmp.Or(res.Policy.DefenceEpsilon, 1), d.Delta, &public
	}
	return r
}
