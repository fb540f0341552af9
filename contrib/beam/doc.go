// Package beam measures the risk of microdata of any size on many machines, by Apache
// Beam. It has no formula of its own: records are counted by the accumulators of package
// risk, and what is measured in parts of the classes merges there.
//
//		files ─ scan ─ (part, counts) ─ merge by part ─ measure ─ merge ─ one result
//
//	  - A file is a unit of work. A worker reads it with the Scanner of package risk, as the
//	    command hitoku does: records whose quotes hold line ends, compressed text and other
//	    encodings are read alike, and a fault has its file and line. What leaves the worker is
//	    not records but counts of classes, divided into parts by a hash of the classes' values.
//	  - Counts of a part merge, from whatever files they are. A part then has its classes whole, and
//	    is measured by itself; results of parts merge to that of all, to the same bits.
//	  - t-closeness compares with the distribution over all records: parts give their
//	    share of it first. k-map joins parts of the data set and of the population.
//
// So a worker needs memory for the classes of a file, and for those of a part.
package beam
