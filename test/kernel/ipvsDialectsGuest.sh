#!/bin/sh
# Runs inside a guest kernel (ipvsDialects.test.ts starts it): loads states one after the other, and writes down what the
# kernel's tools show of each. FOLDER/states: `NUMBER TOOL` a line; NUMBER.sets, NUMBER.made and NUMBER.restore are
# loaded in this order, NUMBER.ipset and NUMBER.iptables are written. An error ends the run.
set -eu
cd "$1"
for table in filter nat; do
  for tool in iptables ip6tables; do "$tool-save" -t "$table" >"empty.$tool.$table"; done
done
while read -r number tool; do
  ipset restore <"$number.sets"
  "$tool-restore" --noflush <"$number.made"
  "$tool-restore" -w 5 --noflush --counters <"$number.restore"
  ipset save >"$number.ipset"
  for table in filter nat; do "$tool-save" -t "$table"; done >"$number.iptables"
  for table in filter nat; do "$tool-restore" <"empty.$tool.$table"; done
  ipset destroy
done <states
