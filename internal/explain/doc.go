// Package explain says why a cell is withheld and what would free it: which sensitive cells it guards, with the
// arithmetic by which they could be computed if it were published; what the cheapest pattern costs that
// publishes it; and which changes of rules, margins or categories would free most cells. All answers come from
// runs of package protect with one thing changed, and from audits by package interval.
package explain
