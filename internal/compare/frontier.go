package compare

// A Point is a release by its risk and by what its users lose, both of which are better small.
type Point struct {
	Name       string
	Risk, Loss float64
}

// Frontier tells of each point whether no other one is better in one way and at least as good in the
// other.
func Frontier(points []Point) []bool {
	on := make([]bool, len(points))
	for i, p := range points {
		on[i] = true
		for _, q := range points {
			if q.Risk <= p.Risk && q.Loss <= p.Loss && (q.Risk < p.Risk || q.Loss < p.Loss) {
				on[i] = false
			}
		}
	}
	return on
}
