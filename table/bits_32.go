//go:build 386 || arm || mips || mipsle

package table

// Numbers of cells, products of them and positions in files are whole numbers of type int, which would be cut off in 32 bits, so that a verdict
// could be wrong. The name below is not declared: the compiler says why nothing is built.
var _ = hitoku_needs_a_processor_of_64_bits
