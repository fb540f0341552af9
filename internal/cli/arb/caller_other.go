//go:build !unix

package arb

import "context"

// withCaller returns ctx: programs of this system are not told who waits for them.
func withCaller(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}
