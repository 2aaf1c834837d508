import { canonicalIp } from '../../common/addresses/ip.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { DumpFile } from '../dumpFile.ts';

/**
 * Reads a file of /proc/net/xt_recent, which has the name of its list: `src=10.0.0.1 ttl: 64 last_seen: 4295060
 * oldest_pkt: 2 4295000, 4295060`. Stamps count the kernel's ticks from an unknown start, so ages are relative to the
 * newest one.
 */
export function readRecent(file: DumpFile): NetworkFacts['seen'] {
  const rows = file.text.split('\n').flatMap((line) => {
    const [, address = '', stamp] = /^src=(\S+) ttl: \d+ last_seen: (\d+) /.exec(line) ?? [];
    const ip = canonicalIp(address);
    return ip === undefined ? [] : [{ ip, stamp: Number(stamp) }];
  });
  const newest = rows.reduce((most, { stamp }) => Math.max(most, stamp), 0);
  return rows.map(({ ip, stamp }) => ({
    list: file.name.slice(file.name.lastIndexOf('/') + 1),
    ip,
    seconds: (newest - stamp) / ticks,
  }));
}

/** A second has 250 ticks in the kernels of the usual distributions. */
const ticks = 250;
