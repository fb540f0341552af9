package report

// An About heads a page that goes to file: what the office says of its publication. Texts that are
// empty are left out. Its TOML has the keys of the fields in lower case; approval may be a
// list of those who sign.
type About struct {
	Title    string   `toml:"title"`    // title of the publication, in place of the name of the table
	Survey   string   `toml:"survey"`   // the survey or register the figures come from
	Period   string   `toml:"period"`   // reference period
	Author   string   `toml:"author"`   // who made the page
	Date     string   `toml:"date"`     // as it is to be read; none is added
	Approval []string `toml:"approval"` // who signs, each with a line for it
}

// Empty says that nothing was said.
func (a *About) Empty() bool {
	return a.Title == "" && a.Survey == "" && a.Period == "" && a.Author == "" && a.Date == "" && len(a.Approval) == 0
}

// aboutBlock is what the head of a page shows of an About.
type aboutBlock struct {
	Facts          []Fact
	Approval       []string
	Signed, Signer string
}

// block is what w says of a; nil if there is nothing to show.
func (a *About) block(w words) *aboutBlock {
	b := &aboutBlock{Approval: a.Approval, Signer: w.T("signature"), Signed: w.T("signed")}
	for _, f := range []Fact{{w.T("survey"), a.Survey}, {w.T("period"), a.Period}, {w.T("author"), a.Author}, {w.T("date"), a.Date}} {
		if f.Text != "" {
			b.Facts = append(b.Facts, f)
		}
	}
	if len(b.Facts)+len(b.Approval) == 0 {
		return nil
	}
	return b
}

// Heading is that of the page: the title that was given, else the kind of page and the table's name.
func (p *protectionPage) Heading() string {
	if p.About.Title != "" {
		return p.About.Title
	}
	return p.T("title") + p.T("colon") + p.Table.Name
}

// Block is the head of the page, nil if nothing was said.
func (p *protectionPage) Block() *aboutBlock { return p.About.block(p.words) }

// Names are the files without their checksums, which stand at the end of the page.
func (p *protectionPage) Names() (names []Fact) {
	for _, f := range p.Files {
		if f.Name != digestName {
			names = append(names, f)
		}
	}
	return names
}
