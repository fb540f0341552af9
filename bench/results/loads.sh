#!/bin/sh
# Whether batch files give the same bytes on a busy machine: each runs five times, beside 1, 4, 10, 20 and 30 busy processes, on one processor and on two.
# sh bench/results/loads.sh FOLDER… > bench/results/loads.csv, with folders of batches of τ-ARGUS and their inputs, which are copied; hitoku is that of PATH. Batches without outputs are left out.
place=$(mktemp -d)
busy=
stop() { for p in $busy; do kill "$p"; done 2>/dev/null; busy=; }
trap 'stop; rm -rf "$place"' EXIT
echo "batch,exit code,outputs,bytes,results in five runs,least seconds,most seconds"
for folder in "$@"; do
  for batch in $(cd "$folder" && find . -iname '*.arb' | sort); do
    sums= least= most= code=
    run=0
    for load in 1 4 10 20 30; do
      run=$((run + 1))
      work="$place/run" # the same name each time, as outputs may tell it
      rm -rf "$work" && cp -R "$folder" "$work" && chmod -R u+w "$work" && touch "$place/before" && sleep 1
      for n in $(seq "$load"); do
        sh -c 'while :; do :; done' &
        busy="$busy $!"
      done
      began=$(date +%s)
      (cd "$work/$(dirname "$batch")" && GOMAXPROCS=$((1 + run % 2)) hitoku arb -q "$(basename "$batch")" "$place/log" >/dev/null 2>&1)
      code=$?
      took=$(($(date +%s) - began))
      stop
      least=$(printf '%s\n%s\n' "${least:-$took}" "$took" | sort -n | head -1)
      most=$(printf '%s\n%s\n' "${most:-$took}" "$took" | sort -n | tail -1)
      made=$(cd "$work" && find . -type f -newer "$place/before" ! -iname '*.log' ! -iname '*logbook*' | sort)
      sums="$sums$(cd "$work" && for f in $made; do cat "$f"; echo "$f"; done | cksum)
"
    done
    [ -z "$made" ] || echo "$(basename "$folder")/$(basename "$batch"),$code,$(echo "$made" | grep -c .),$(cd "$work" && for f in $made; do cat "$f"; done | wc -c),$(printf '%s' "$sums" | sort -u | wc -l),$least,$most"
  done
done
