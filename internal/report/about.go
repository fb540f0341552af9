package report

// An About is the head of a page for the files of the office: what it says about its publication. Empty texts
// are left out. In TOML the keys are the names of the fields in lower case; approval may be a list of those who
// sign.
type About struct {
	Title    string   `toml:"title"`    // title of the publication, in place of the name of the table
	Survey   string   `toml:"survey"`   // the survey or register the figures come from
	Period   string   `toml:"period"`   // reference period
	Author   string   `toml:"author"`   // who made the page
	Date     string   `toml:"date"`     // as it is to be printed; none is added
	Approval []string `toml:"approval"` // those who sign, each of whom gets a line
}

// Empty reports whether nothing was said.
func (a *About) Empty() bool {
	return a.Title == "" && a.Survey == "" && a.Period == "" && a.Author == "" && a.Date == "" && len(a.Approval) == 0
}

// aboutBlock is what the head of a page shows of an About.
type aboutBlock struct {
	Facts          []Fact
	Approval       []string
	Signed, Signer string
}

// block returns a with names in the words w; nil if there is nothing to show.
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

// Heading returns the heading of the page: the given title, else the kind of page and the name of the table.
func (p *protectionPage) Heading() string {
	if p.About.Title != "" {
		return p.About.Title
	}
	return p.T("title") + p.T("colon") + p.Table.Name
}

// Block returns the head of the page, nil if nothing was said.
func (p *protectionPage) Block() *aboutBlock { return p.About.block(p.words) }

// Names returns the files without their checksums, which are at the end of the page.
func (p *protectionPage) Names() (names []Fact) {
	for _, f := range p.Files {
		if f.Name != digestName {
			names = append(names, f)
		}
	}
	return names
}
