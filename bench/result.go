package bench

import (
	"github.com/hitoku/hitoku/internal/document"
)

// A Result is what Run measured on one instance.
type Result = document.Bench
