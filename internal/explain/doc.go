// Package explain says why a cell is withheld and what would free it: which sensitive cells it guards, with the arithmetic
// by which they would be computed were it published; what the cheapest pattern costs that publishes it; and which
// changes of rules, margins or categories would free most cells. All answers are runs of package protect, changed in one
// thing, and audits of package interval.
package explain
