package formats

import (
	"bytes"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Unread recognises by its first bytes a file of a kind that is not read, and says what it is and what to do;
// else it returns the zero Text.
func Unread(head []byte) i18n.Text {
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")): // a compound file ([MS-CFB]), with its names in UTF-16
		switch {
		case has("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"): // [MS-OFFCRYPTO] 2.3.4
			return i18n.T("a workbook with a password; open it and save it without one")
		case has("W\x00o\x00r\x00k\x00b\x00o\x00o\x00k\x00"):
			return i18n.T("an old .xls workbook; save it as .xlsx or .ods")
		}
		return i18n.T("an old .xls workbook, or one with a password; save it as .xlsx without one")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		switch {
		case has("xl/workbook.bin"):
			return i18n.T("a binary workbook (.xlsb); save it as .xlsx or .ods")
		case has("Index/") && has(".iwa"):
			return i18n.T("a spreadsheet of Numbers; export it as .xlsx")
		}
	case has("<office:document ") && has("opendocument.spreadsheet"):
		return i18n.T("a flat OpenDocument spreadsheet (.fods); save it as .ods")
	}
	return i18n.Text{}
}
