import type { Family } from '../../common/addresses/family.ts';
import type { ProxySyncs } from '../../node/proxyFacts.ts';
import type { DumpFile } from '../dumpFile.ts';
import { familyNames } from './readHealthz.ts';

/**
 * What kube-proxy's `/metrics` says about its syncs. Names and labels are those of 1.22 to 1.37: one value for all
 * families until 1.32, one for each since 1.33. Other metrics are ignored.
 */
export function readProxyMetrics({ name, text }: DumpFile): readonly ProxySyncs[] {
  const found = new Map<Family | undefined, Mutable<ProxySyncs>>();
  for (const [at, line] of text.split('\n').entries()) {
    const [, metric = '', labels = '', value = ''] = sample.exec(line) ?? [];
    const number = Number(value);
    if (metric === '' || !Number.isFinite(number)) continue;
    const family = familyNames.get(/ip_family="([^"]*)"/.exec(labels)?.[1] ?? '');
    let syncs = found.get(family);
    if (syncs === undefined) {
      syncs = { ...(family !== undefined && { family }), failures: 0, file: name, line: at + 1 };
      found.set(family, syncs);
    }
    // A time of 0 means that it has not happened yet.
    if (metric === 'last_timestamp_seconds') {
      if (number > 0) syncs.lastSync = number;
    } else if (metric === 'last_queued_timestamp_seconds') {
      if (number > 0) syncs.lastQueued = number;
    } else syncs.failures += number;
  }
  return [...found.values()];
}

/** A full restore immediately follows a partial one that fails: only the full one counts. */
const sample =
  /^kubeproxy_sync_proxy_rules_(last_timestamp_seconds|last_queued_timestamp_seconds|iptables_restore_failures_total|nftables_sync_failures_total)(\{[^}]*\})? +(\S+)/;

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
