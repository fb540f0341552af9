"""Tests of the client against the program that HITOKU names."""
