// Package adversary searches for tables about which hitoku says something false. It contains only tests.
//
// Every build draws files as offices keep them, more with the tag slow, and judges what suppress publishes of
// them from the copy alone. It also tests cases in which two features meet (TestPairs): for each pair it draws
// small tables and runs them through the command, and compares the output with what a naive reader of the
// published files can compute.
//
//	go test ./internal/test/adversary -run TestPairs -v -pairs.n 50000 -pairs.seed 7
//
// Case j is drawn from the seed and j alone. A case with a wrong answer is kept as a folder with its files, the
// commands, their output and what would be right. The run prints how often each pair met and was refused.
//
// The other tests need the tag slow:
//
//	go test -tags slow ./internal/test/adversary
//	go test -tags slow,clp,clpdl,lpsolve -timeout 0 ./internal/test/adversary -adversary.n 100000 -adversary.seed 7
//
// Table j of a search is drawn from the seed and j alone, so that every finding can be repeated with
// -adversary.only j. Each table is given to the verbs of hitoku, called as a library, with one of their
// methods, engines and back ends, and their answers are compared with an oracle that shares no code with them.
// The oracle is the definition of the intruder's interval, computed by a textbook simplex in integers and, if
// few cells are free, by trying every pattern. A table with a wrong answer is reduced as long as the answer
// stays wrong, and written down as a JJ file with what was said and what would be right.
package adversary
