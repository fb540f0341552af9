//go:build 386 || arm || mips || mipsle

package table

// Cell counts, their products and file positions have type int. A 32-bit int would cut them off, and a verdict could be
// wrong, so a 32-bit build must fail: the name below is undeclared on purpose.
var _ = hitoku_needs_a_processor_of_64_bits
