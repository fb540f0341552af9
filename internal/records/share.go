package records

import (
	"context"
	"sync"
)

// A Block is a run of whole records of a file.
type Block struct {
	Line int // number of its first line
	Text []byte
}

// Share runs cut, which sends the blocks of a file in order and may reuse the memory it gets from spare, and n
// workers that process them; do returns the line of a bad record and its error. The error of Share is that of
// the first bad record in the file, whichever worker met it first, else that of cut. After a fault the context
// of cut ends; by then all earlier blocks have gone to workers.
func Share(ctx context.Context, n int, cut func(ctx context.Context, blocks chan<- Block, spare <-chan []byte) error, do func(worker int, b Block) (line int, err error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	blocks := make(chan Block, n)
	spare := make(chan []byte, 3*n)
	var group sync.WaitGroup
	lines, errs := make([]int, n), make([]error, n)
	for k := range n {
		group.Go(func() {
			for b := range blocks {
				if errs[k] == nil {
					if lines[k], errs[k] = do(k, b); errs[k] != nil {
						stop()
					}
				}
				select {
				case spare <- b.Text[:0]:
				default:
				}
			}
		})
	}
	err := cut(ctx, blocks, spare)
	close(blocks)
	group.Wait()
	first := -1
	for k, e := range errs {
		if e != nil && (first < 0 || lines[k] < lines[first]) {
			first = k
		}
	}
	if first >= 0 {
		return errs[first]
	}
	return err
}
