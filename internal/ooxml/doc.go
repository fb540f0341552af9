// Package ooxml works on Office Open XML files as bytes: the parts of a package, which are copied as
// they are unless they are replaced; XML whose elements know where they stand in the text, so that one can
// be changed and all others stay; the references in formulas; and numbers in running text.
//
// Sources: ECMA-376 (parts 1 and 2), [MS-XLSX].
package ooxml
