package layout

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
)

func TestPXLayout(t *testing.T) {
	t.Parallel()
	file, want, path := expected(t, "statfin-px")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := px.ReadCube(f, file.File.Name, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := pxSource(c, file.File.Name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compareExpected(t, want, got)
	if got.File != file.File {
		t.Errorf("file: %+v, want %+v", got.File, file.File)
	}
}

func openText(t *testing.T, path string) *Text {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := OpenText(f, path, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLongLayouts reads the long tables of the cases cell by cell. Titles and units that stand
// in no file are not compared.
func TestLongLayouts(t *testing.T) {
	t.Parallel()
	for name, loose := range map[string][]string{
		"statcan-long":       {"title"},
		"eurostat-tsv-flags": {"title", "unit"},
		"eurostat-sdmx-both": {"title"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, want, path := expected(t, name)
			x := openText(t, path)
			got, err := long(x.Grid, x.File, Options{})
			if err != nil || got == nil {
				t.Fatal(got, err)
			}
			compareExpected(t, want, got, loose...)
			got.File.Name = file.File.Name
			if got.File != file.File {
				t.Errorf("file: %+v, want %+v", got.File, file.File)
			}
		})
	}
}

// readText reads a text with a layout of one table.
func readText(t *testing.T, text string, o Options) *Reading {
	t.Helper()
	s, err := Open(strings.NewReader(text), "f.csv", "", "", o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Reading
}

// shape tells dimensions as NAME/role:code<parent,… and the first cells.
func shape(r *Reading) string {
	var b strings.Builder
	for _, t := range r.Tables {
		for _, d := range t.Dimensions {
			b.WriteString(d.Name + "/" + d.Role[:1] + ":")
			for _, c := range d.Codes {
				b.WriteString(" " + c.Code)
				if c.Label != c.Code {
					b.WriteString("=" + c.Label)
				}
				if c.Parent != nil {
					b.WriteString("<" + *c.Parent)
				}
			}
			b.WriteString("\n")
		}
		for _, c := range t.Cells[:min(2, len(t.Cells))] {
			v := "none"
			if c.Value != nil {
				v = string(*c.Value)
			}
			b.WriteString(strings.Join(c.Codes, "|") + " " + v)
			if c.Mark != nil {
				b.WriteString(" " + *c.Mark + " " + c.Means)
			}
			b.WriteString(" " + c.Flag + " " + c.Ref + " " + c.MarkRef + "\n")
		}
	}
	return b.String()
}

// TestLongFormats reads the ways in which offices write long tables.
func TestLongFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"SDMX-CSV 1.0 with codes", "DATAFLOW,FREQ,GEO,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS\nX:Y(1.0),A,T,2022,31,A,F\nX:Y(1.0),A,a,2022,20,,F\nX:Y(1.0),A,b,2022,,,C\nX:Y(1.0),A,c,2022,4,E,F\n",
			"FREQ/c: A\nGEO/c: T a<T b<T c<T\nTIME_PERIOD/t: 2022\nA|T|2022 31  2:5 \nA|a|2022 20  3:5 \n"},
		{"SDMX-CSV with both in one field", "STRUCTURE,STRUCTURE_ID,ACTION,FREQ: Frequency,GEO: Area,TIME_PERIOD: Time,OBS_VALUE,OBS_STATUS: Status\ndataflow,X:Y(1.0),I,A: Annual,T: Total,2022,31,\ndataflow,X:Y(1.0),I,A: Annual,a: Anna,2022,20,p: provisional\ndataflow,X:Y(1.0),I,A: Annual,b: Berta,2022,11,\n",
			"FREQ/c: A=Annual\nGEO/c: T=Total a=Anna<T b=Berta<T\nTIME_PERIOD/t: 2022\nA|T|2022 31  2:7 \nA|a|2022 20 p 3:7 3:8\n"},
		{"GENESIS flat, old", "Statistik_Code;Statistik_Label;Zeit_Code;Zeit_Label;Zeit;1_Merkmal_Code;1_Merkmal_Label;1_Auspraegung_Code;1_Auspraegung_Label;2_Merkmal_Code;2_Merkmal_Label;2_Auspraegung_Code;2_Auspraegung_Label;BEV__Bevoelkerung__Anzahl\n" +
			"1;B;JAHR;Jahr;2021;GES;Geschlecht;GESM;männlich;ALT;Alter;A1;unter 10;1.200\n1;B;JAHR;Jahr;2021;GES;Geschlecht;GESW;weiblich;ALT;Alter;A1;unter 10;1.100\n1;B;JAHR;Jahr;2021;GES;Geschlecht;;Insgesamt;ALT;Alter;A1;unter 10;2.300\n" +
			"1;B;JAHR;Jahr;2021;GES;Geschlecht;GESM;männlich;ALT;Alter;A2;10 und mehr;900\n1;B;JAHR;Jahr;2021;GES;Geschlecht;GESW;weiblich;ALT;Alter;A2;10 und mehr;.\n1;B;JAHR;Jahr;2021;GES;Geschlecht;;Insgesamt;ALT;Alter;A2;10 und mehr;1.850\n",
			"Geschlecht/c: GESM=männlich<Insgesamt GESW=weiblich<Insgesamt Insgesamt\nAlter/c: A1=unter 10 A2=10 und mehr\nGESM|A1 1200  2:14 \nGESW|A1 1100  3:14 \n"},
		{"GENESIS flat, new", "statistics_code;statistics_label;time_code;time_label;time;1_variable_code;1_variable_label;1_variable_attribute_code;1_variable_attribute_label;value;value_unit;value_variable_code;value_variable_label\n" +
			"1;B;JAHR;Jahr;2021;GES;Geschlecht;GESM;männlich;5;Anzahl;BEV;Bevölkerung\n1;B;JAHR;Jahr;2021;GES;Geschlecht;GESW;weiblich;7;Anzahl;BEV;Bevölkerung\n1;B;JAHR;Jahr;2021;GES;Geschlecht;GEST;Insgesamt;12;Anzahl;BEV;Bevölkerung\n" +
			"1;B;JAHR;Jahr;2022;GES;Geschlecht;GESM;männlich;15;Anzahl;BEV;Bevölkerung\n1;B;JAHR;Jahr;2022;GES;Geschlecht;GESW;weiblich;17;Anzahl;BEV;Bevölkerung\n1;B;JAHR;Jahr;2022;GES;Geschlecht;GEST;Insgesamt;32;Anzahl;BEV;Bevölkerung\n",
			"time/t: 2021 2022\nGeschlecht/c: GESM=männlich<GEST GESW=weiblich<GEST GEST=Insgesamt\n2021|GESM 5  2:10 \n2021|GESW 7  3:10 \n"},
		{"e-Stat API", "tab_code,表章項目,cat01_code,産業,area_code,地域,time_code,時間軸(年次),unit,value,annotation\n020,人口,00,総数,0,全国,2020000000,2020年,人,\"1,500\",\n020,人口,01,農業,0,全国,2020000000,2020年,人,500,\n020,人口,02,工業,0,全国,2020000000,2020年,人,\"1,000\",\n" +
			"020,人口,00,総数,1,東,2020000000,2020年,人,700,\n020,人口,01,農業,1,東,2020000000,2020年,人,X,\n020,人口,02,工業,1,東,2020000000,2020年,人,X,\n020,人口,00,総数,2,西,2020000000,2020年,人,800,\n020,人口,01,農業,2,西,2020000000,2020年,人,X,\n020,人口,02,工業,2,西,2020000000,2020年,人,X,\n",
			"産業/c: 00=総数 01=農業<00 02=工業<00\n地域/c: 0=全国 1=東<0 2=西<0\n00|0 1500  2:10 \n01|0 500  3:10 \n"},
		{"INE", "Sexo;Edad;Periodo;Total\nTotal;Todas;2022;1.234\nTotal;Menos;2022;1.000\nTotal;Más;2022;234\nHombres;Todas;2022;600\nHombres;Menos;2022;500\nHombres;Más;2022;100\nMujeres;Todas;2022;634\nMujeres;Menos;2022;500\nMujeres;Más;2022;134\n",
			"Sexo/c: Total Hombres<Total Mujeres<Total\nEdad/c: Todas Menos<Todas Más<Todas\nTotal|Todas 1234  2:4 \nTotal|Menos 1000  3:4 \n"},
		{"codes and names", "area_code,area_name,year,size,value,status\nE0,All,2021,Total,30,\nE1,North,2021,Total,12,\nE2,South,2021,Total,18,e\nE0,All,2021,Small,20,\nE1,North,2021,Small,,c\nE2,South,2021,Small,,c\nE0,All,2021,Large,10,\nE1,North,2021,Large,,c\nE2,South,2021,Large,,c\n",
			"area/c: E0=All E1=North<E0 E2=South<E0\nsize/c: Total Small<Total Large<Total\nE0|Total 30  2:5 \nE1|Total 12  3:5 \n"},
	} {
		r := readText(t, c.text, Options{})
		if d := cmp.Diff(c.want, shape(r)); d != "" {
			t.Errorf("%s (-want +got): %s", c.name, d)
		}
		again := readText(t, c.text, Options{From: r.Layout}) // by the layout that was understood
		if d := cmp.Diff(shape(r), shape(again)); d != "" {
			t.Errorf("%s, by its saved layout: %s", c.name, d)
		}
	}
}

// TestLongDoubt: numbers that may be whole or not are settled by sums, or the flags are told that
// settle them.
func TestLongDoubt(t *testing.T) {
	t.Parallel()
	text := "a;b;value\nT;T;1.234\nT;u;2.345\nv;T;3.456\nv;u;4.567\n"
	_, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
	var doubt *AmbiguityError
	if !errors.As(err, &doubt) || len(doubt.Options) != 2 || doubt.Options[0] != "--thousands ." {
		t.Fatalf("%v", err)
	}
	for thousands, want := range map[string]Decimal{".": "1234", "": "1.234"} {
		o := Options{Thousands: thousands}
		if thousands == "" {
			o.Decimal = "."
		}
		if got := *readText(t, text, o).Tables[0].Cells[0].Value; got != want {
			t.Errorf("%q: %s, want %s", thousands, got, want)
		}
	}
}
