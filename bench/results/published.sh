#!/bin/sh
# The figures "Published tables of τ-ARGUS" of docs/figures.md.
# in a folder with the sample data; INSEE's sensitive cells are those of 0 < contributors < 3 or a largest contribution above 85 %
hitoku tabulate tau_testW.asc --meta Tau_TestW.rda --table "dims Size,Region; response Var2; name s" --p-percent 15 -o s.csv
hitoku suppress s.csv --hierarchy Region=s.Region.hrc                               # 521,926
hitoku suppress s.csv --hierarchy Region=s.Region.hrc --singletons tauargus-mod     # 1,092,477
awk -F, 'NR > 1 && /Total/ {print $1 ";" $2 ";P"}' s.csv > totals.hst
hitoku suppress s.csv --hierarchy Region=s.Region.hrc --singletons tauargus-mod --apriori totals.hst   # 2,524,351
hitoku suppress s.csv --hierarchy Region=s.Region.hrc --insiders --apriori totals.hst                  # 3,262,227
for t in act_size act_cj nuts_size nuts_cj; do
  awk -F, 'NR == 1 {print $0 ",status"} NR > 1 {print $0 "," ($3 > 0 && $3 < 3 || $5 > 0.85*$4 ? "u" : "s")}' turnover_$t.csv > $t.csv
done
levels="--column value=TOT --column freq=N_OBS --column max1=MAX --lpl 10% --upl 10%"
hitoku suppress act_cj.csv $levels --hierarchy ACTIVITY=activity.hrc                # 106,611,878.1885; act_size likewise
hitoku suppress --linked act_size.csv act_cj.csv nuts_size.csv nuts_cj.csv $levels --hierarchy ACTIVITY=activity.hrc --hierarchy NUTS=nuts.hrc
awk -F, 'NR == 1 {print "treff,cj,A10,type_distrib,nuts1,value,status"; next}
  {print $1 "," $2 "," $3 "," $4 "," $5 "," $7 "," ($6 > 0 && $6 < 3 || $7 != 0 && $8 > 0.85*$7 ? "u" : "s")}' datatest2.csv > d2.csv
hitoku suppress d2.csv --lpl 10% --upl 10% --lower -1000000 --time-limit 60s

# published.csv, the last four lines: up to 40 workbooks and 12 texts of each folder (90 and 30 of each repository) with two columns of numbers or more, none of
# places, of more than 3,000 lines or twice the same; of 1,003 so found the 739 for which the time was enough, smallest first; those in .xls were saved by
# soffice --headless --convert-to xlsx. The repositories, all on GitHub, at these commits:
# Akiyah/monthly-traffic-accidents-in-japan 332d4afc, CSGJCResearch/cc_survey 759b515a, EAPD-DRB/Population-Data 4d52ef74, EstadisticasPR/ViolenciaGeneroPR
# a6e854bd, GSS-Cogs/family-covid-19 5bcefb5c, GSS-Cogs/family-trade 6f605189, Prison-Reform-Trust/womens-imprisonment-PFA ac080def,
# Shirashoji/chofu-population-dataset 077fcbb9, StataBS/indikatoren 715669d7, TICbhoy94/codeclan_geo_dashboard b629c41a,
# TheEconomist/covid-19-excess-deaths-tracker 34dbd4e3, aeturrell/coding-for-economists 056983d5, akgunburak/EDA_Education_in_Turkey 16e798a9,
# almus-bot/ineproject 533ae1b0, araki-ka/DataTank fc6a6457, aszero/taiwan_population 18d0b6be, ayoubtizi/Regional-Statistics-DataWarehouse 56b73048,
# britishredcrosssociety/resilience-index 0e831652, codeforboston/clean-slate-data 49298c4f, daveyang-code/toronto 9c58165d, DCMSstats/eesectors 7f34a216,
# dfe-analytical-services/explore-education-statistics eefd0b68, diegovalle/Homicide-MX-Drug-War 6b1a5257, diegovalle/conapo-2010 f53af7bc,
# doitundoit/statistics a8efb862, dsanchezp18/assignment1-sexualorientation bc0276f9, ellisp/blog-source dbdfad76, ellisp/international-crime-stats fc420e52,
# eonum/swiss-hospital-statistics 4fe9efd4, eurostat/ecobackcast 628393f8, fant0md/empire-migrations-coursework 9379f009, fivethirtyeight/data fcf572c4,
# fxedel/vaterstetten-in-zahlen 4f0fa99f, humaniverse/healthindexwales b16fdae7, kapsitis/demografija-lv a99360dd, kdshamika/qld-employment-dashboard-r-shiny
# 3db4f16b, kota-tagami/JLSTAT-table 20821682, malgorzatakukielka/trendy_demograficzne c6f1b3b6, mikeAdamss/tidychef a99a40c9, morebento/sa-crime-stats-2024
# 28e1488d, nacnudus/smungs 1c9fdae8, nacnudus/unpivotr 8c9dd722, nuuuwan/lk_census_2024 c115e7a2, omejiariv/Demografia_Colombia 8b51b75c,
# openfisca/openfisca-france-indirect-taxation dd20dce4, owid/owid-datasets 48c9992a, ph10m/crime-statistics-norway 78a5ff12,
# psotob91/demografia-poblacion-inei 89a2f9dc, sdpython/actuariat_python 73f946dd, sensiblecodeio/databaker 930b65e8, smdu-sp/acervo-historico-demografico
# 10dc5f0f, technocrat/census 3b87c17f, timriffe/covid_age c12920a7
for f in published/*; do timeout 150 hitoku inspect "$f" | tail -n 1; done # complete: none unknown; asked: so, but with a line "open:"
