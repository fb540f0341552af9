// Package ooxml handles Office Open XML files as bytes: packages, whose parts are copied unchanged unless they
// are replaced; XML whose elements know their place in the text, so that one can be changed while all others
// stay; references in formulas; and numbers in running text.
//
// Sources: ECMA-376 (parts 1 and 2), [MS-XLSX].
package ooxml
