package intruder

// Ends returns the graph behind a network: cell i is an arc tail[i] → head[i]
// among the given number of nodes, the last of which is the ground and has no
// relation. A z is in the kernel of M if and only if it is a circulation. The
// slices are shared; ok is false where M is not a network.
func (s *System) Ends() (tail, head []int32, nodes int, ok bool) {
	if s.net == nil {
		return nil, nil, 0, false
	}
	return s.net.tail, s.net.head, s.net.nodes, true
}
