// Package must ends a test when a call that is not what it tests returns an error.
//
// What a test is about it checks itself, with a message that says what was wanted; with this package the calls
// that only prepare it, such as reading a table, take one line each.
package must

import "testing"

// Do ends the test unless err is nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get ends the test unless err is nil, and returns the value otherwise. The test is given in a second call,
// because a call with two results cannot have other arguments beside it:
//
//	table := must.Get(tableio.Read(name, options))(t)
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Two is Get for calls that return two values and an error.
func Two[T, U any](value T, other U, err error) func(testing.TB) (T, U) {
	return func(t testing.TB) (T, U) {
		t.Helper()
		Do(t, err)
		return value, other
	}
}
