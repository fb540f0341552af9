package main

import "fmt"

// Exit codes.
const (
	exitDone    = 0
	exitVerdict = 1 // unprotected cell, unprotectable table
	exitUsage   = 2 // wrong usage, unreadable or malformed input
	exitLimit   = 3 // stopped with a partial but valid result
)

// An exitCode ends a command that has said everything already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// worst returns the code of a run over several inputs: an input that could not
// be read outweighs a bad verdict, which outweighs a limit.
func worst(a, b exitCode) exitCode {
	for _, c := range []exitCode{exitUsage, exitVerdict, exitLimit} {
		if a == c || b == c {
			return c
		}
	}
	return exitDone
}

// result turns a code into the error a command returns.
func (c exitCode) result() error {
	if c == exitDone {
		return nil
	}
	return c
}
