package main

import (
	"bytes"
	"encoding/binary"
)

// repeated is the least length of a repeated text that is taken out; gzip writes shorter ones as briefly, if
// they are near.
const repeated = 24

// fold replaces texts of data that have occurred before, at whatever distance, while gzip looks back only 32
// KB. The result is in three parts, preceded by their lengths: steps, each of which gives the length of new
// text, the length of repeated text, and how far back that is; and all new text, joined. worker.js reverses
// this.
func fold(data []byte) []byte {
	const bits = 22
	seen := make([]int32, 1<<bits) // 1 + the last place of a text with that hash
	at := func(i int) *int32 {
		const a, b = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
		x := binary.LittleEndian.Uint64(data[i:])*a ^ binary.LittleEndian.Uint64(data[i+repeated-8:])*b
		return &seen[(x^x>>29)*a>>(64-bits)]
	}
	var steps, fresh []byte
	start := 0
	for i := 0; i+repeated <= len(data); {
		place := at(i)
		j := int(*place) - 1
		*place = int32(i + 1)
		if j < 0 || !bytes.Equal(data[j:j+repeated], data[i:i+repeated]) {
			i++
			continue
		}
		from, end := i, i+repeated
		for end < len(data) && data[end] == data[j+end-i] {
			end++
		}
		for from > start && from-i+j > 0 && data[from-1] == data[from-1-i+j] {
			from--
		}
		fresh = append(fresh, data[start:from]...)
		for _, n := range []int{from - start, end - from, i - j} {
			steps = binary.AppendUvarint(steps, uint64(n))
		}
		for i++; i < end && i+repeated <= len(data); i++ {
			*at(i) = int32(i + 1)
		}
		i, start = end, end
	}
	fresh = append(fresh, data[start:]...)
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(data))), uint64(len(steps)))
	return append(append(head, steps...), fresh...)
}
