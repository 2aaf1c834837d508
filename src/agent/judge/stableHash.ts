import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * A hash of a program's output that changes only if there is something to judge. It ignores what changes by itself:
 * comments with the time, counters of policies, lifetimes of addresses and routes, counts of
 * kube-proxy's syncs.
 */
export function stableHash(file: string, bytes: Buffer): string {
  const hash = createHash('sha1');
  if (file.includes('iptables.')) hashSave(hash, bytes);
  else hash.update(steadyText(file, bytes));
  return hash.digest('base64');
}

type Hash = ReturnType<typeof createHash>;

/** In a save text only the heads of tables need a look: everything else is hashed as it is. */
function hashSave(hash: Hash, bytes: Buffer): void {
  let start = 0;
  for (let at = 0; at !== -1 && at < bytes.length; ) {
    const byte = bytes[at];
    const end = bytes.indexOf(newline, at);
    const next = end === -1 ? bytes.length : end + 1;
    if (byte === hashSign) {
      hash.update(bytes.subarray(start, at));
      start = next;
      at = next;
    } else if (byte === star) {
      hash.update(bytes.subarray(start, next));
      start = hashHead(hash, bytes, next);
      at = start;
    } else {
      // Skips to the end of the table, since comments only come around tables.
      const commit = bytes.indexOf(commitLine, at);
      at = commit === -1 ? bytes.length : commit + commitLine.length;
    }
  }
  hash.update(bytes.subarray(start));
}

/** The kernel's chains come first, with a policy and counters; returns where the others begin. */
function hashHead(hash: Hash, bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === colon) {
    const end = bytes.indexOf(newline, at);
    if (end === -1) return at;
    const line = bytes.toString('latin1', at, end);
    if (/ - \[/.test(line)) return at;
    hash.update(line.replace(/ \[\d+:\d+\]$/, '\n'));
    at = end + 1;
  }
  return at;
}

const newline = 10;
const hashSign = 35;
const star = 42;
const colon = 58;
const commitLine = Buffer.from('\nCOMMIT\n');

function steadyText(file: string, bytes: Buffer): string | Buffer {
  const change = volatile.find(([pattern]) => pattern.test(file))?.[1];
  return change === undefined ? bytes : change(bytes.toString());
}

const volatile: readonly (readonly [RegExp, (text: string) => string])[] = [
  // Bridges are shown with their timers.
  [/addresses/, (text) => text.replace(/(valid_lft|preferred_lft) \d+sec|(_timer) +[\d.]+/g, '$1$2')],
  [/routes/, (text) => text.replace(/ expires \d+sec/g, '')],
  [/sysctl/, (text) => text.replace(/^net\.netfilter\.nf_conntrack_count.*$/m, '')],
  [/ipset/, (text) => text.replace(/ timeout \d+| packets \d+| bytes \d+/g, '')],
  [/modules/, (text) => text.replace(/^(\S+) .*$/gm, '$1')],
  // What becomes of the times is in it too: "healthy".
  [/healthz/, (text) => text.replace(/"(lastUpdated|currentTime)": *"[^"]*"/g, '"$1"')],
  [/metrics/, (text) => (text.match(/^kubeproxy_.*_failures_total.*$/gm) ?? []).join('\n')],
];
