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
