package attack

import "sync/atomic"

var zzBoxes, zzDecide, zzTry, zzHit atomic.Int64
