// Package outside tests what a program that imports one package of the library may rely on.
package outside
