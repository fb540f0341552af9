// Package beam measures the risk of microdata of any size on many machines with Apache Beam. It has no formula
// of its own: the accumulators of package risk count records, and the measures of parts of the classes are
// merged by package risk, too.
//
//	files ─ scan ─ (part, counts) ─ merge by part ─ measure ─ merge ─ one result
//
// How the work is divided:
//
//   - A file is a unit of work. A worker reads it with the Scanner of package risk, as the command hitoku does:
//     records whose quotes contain line ends, compressed text and other encodings are read in the same way, and
//     a fault has its file and line. A worker sends on no records but counts of classes, divided into parts by
//     a hash of the values of the class.
//   - Counts of a part are merged, whatever files they come from. A part then has its classes completely and is
//     measured by itself; the results of the parts merge to that of all records, to the same bits.
//   - t-closeness compares with the distribution over all records, to which the parts contribute first. k-map
//     joins the parts of the data set with those of the population.
//
// So a worker needs memory for the classes of one file, and for those of one part.
package beam
