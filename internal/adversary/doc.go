// Package adversary searches for tables on which hitoku says something false.
//
// It holds tests alone, built with the tag slow:
//
//	go test -tags slow ./internal/adversary
//	go test -tags slow,clp,clpdl,lpsolve -timeout 0 ./internal/adversary -adversary.n 100000 -adversary.seed 7
//
// Table j of a search is drawn from the seed and j alone, so that every finding can be
// had again with -adversary.only j. Each table is put to the verbs of hitoku, called as a library, with
// one of their methods, engines and back ends; what they answer is compared with an
// oracle that shares no code with them. It is the definition of the intruder's
// interval, computed by a textbook simplex in whole numbers, and, where few
// cells are free, every pattern tried. A table with a wrong answer is made smaller as long as the answer
// stays wrong and written down as a JJ file with what was said and what is right.
package adversary
