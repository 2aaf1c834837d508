#!/usr/bin/env bash
# The long form of the random changes: 40 rounds with the newest versions, 10 with older ones, by the seeds given.
#   test/cluster/long.sh [SEED…]            default: 8 21
# Builds what is missing; takes some 15 minutes with two cores and everything built.
set -euo pipefail
cd "$(dirname "$0")/../.."
older=(1.30.14 1.33.13 1.34.4)
test/cluster/build.sh 1.36.3 1.37.2 "${older[@]}"
export K8SNET_REQUIRE_CLUSTER=1
((${#@})) || set -- 8 21
proxies=()
for version in "${older[@]}"; do proxies+=("$version/iptables" "$version/nftables"); done
for seed in "$@"; do
  CHURN_SEED=$seed CHURN_ROUNDS=40 npm test -- cluster/churn
  CHURN_SEED=$seed CHURN_ROUNDS=10 CHURN_PROXIES=$(IFS=,; echo "${proxies[*]}") npm test -- cluster/churn
done
