// Package adversary searches for tables on which hitoku says something false.
//
// It holds tests alone. Files as offices keep them are drawn by any build, the more of them with the tag slow: what suppress publishes of them is
// judged from the copy alone. So are cases in which two features meet (TestPairs): of each pair small tables are drawn, run through the command, and
// what it says is compared with what a naive reader of the published files learns.
//
//	go test ./internal/test/adversary -run TestPairs -v -pairs.n 50000 -pairs.seed 7
//
// Case j is drawn from the seed and j alone; one with a wrong answer is kept as a folder with its files, the commands, what was said and what is right. The run
// prints how often each pair met and was refused. The others are built with the tag slow:
//
//	go test -tags slow ./internal/test/adversary
//	go test -tags slow,clp,clpdl,lpsolve -timeout 0 ./internal/test/adversary -adversary.n 100000 -adversary.seed 7
//
// Table j of a search is drawn from the seed and j alone, so that every finding can be
// had again with -adversary.only j. Each table is put to the verbs of hitoku, called as a library, with
// one of their methods, engines and back ends; what they answer is compared with an
// oracle that shares no code with them. It is the definition of the intruder's
// interval, computed by a textbook simplex in whole numbers, and, where few
// cells are free, every pattern tried. A table with a wrong answer is made smaller as long as the answer
// stays wrong and written down as a JJ file with what was said and what is right.
package adversary
