// Package outside tests what a program may rely on that imports a single package of the library.
package outside
