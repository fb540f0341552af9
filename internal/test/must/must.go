// Package must ends a test where a call that it does not test gives an error.
//
// What a test is about it compares itself, with a message that says what was wanted; the calls that
// only lead there, such as reading a table, stand in one line.
package must

import "testing"

// Do ends the test unless err is nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get ends the test unless err is nil, and gives the value otherwise. The test is named behind the
// call, since nothing may stand beside a call that gives two values:
//
//	table := must.Get(tableio.Read(name, options))(t)
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Two is Get for a call that gives two values.
func Two[T, U any](value T, other U, err error) func(testing.TB) (T, U) {
	return func(t testing.TB) (T, U) {
		t.Helper()
		Do(t, err)
		return value, other
	}
}
