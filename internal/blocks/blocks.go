// Package blocks lets several workers read one text file.
package blocks

import (
	"context"
	"sync"

	"github.com/hitoku/hitoku/table/tableio"
)

// A Block is some whole records of a file.
type Block struct {
	Line int // of its first
	Text []byte
}

// Share runs cut, which sends the file in blocks in their order and may write them over what
// it gets from spare, and n workers, which do them. The error is that of the first bad
// record, whichever worker met it first, else that of cut. After a fault the context of cut ends:
// earlier blocks are all with a worker by then.
func Share(ctx context.Context, n int, cut func(ctx context.Context, blocks chan<- Block, spare <-chan []byte) error, do func(worker int, b Block) *tableio.Error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	blocks := make(chan Block, n)
	spare := make(chan []byte, 3*n)
	var group sync.WaitGroup
	faults := make([]*tableio.Error, n)
	for k := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			for b := range blocks {
				if faults[k] == nil {
					if faults[k] = do(k, b); faults[k] != nil {
						stop()
					}
				}
				select {
				case spare <- b.Text[:0]:
				default:
				}
			}
		}()
	}
	err := cut(ctx, blocks, spare)
	close(blocks)
	group.Wait()
	var first *tableio.Error
	for _, e := range faults {
		if e != nil && (first == nil || e.Line < first.Line) {
			first = e
		}
	}
	if first != nil {
		return first
	}
	return err
}
