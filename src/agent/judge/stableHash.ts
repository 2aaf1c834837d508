import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * A hash of a program's output that changes only if there is something to judge. It ignores what changes by itself:
 * lifetimes of addresses and routes, timers, times of kube-proxy's health, counts of its syncs.
 */
export function stableHash(file: string, bytes: Buffer): string {
  return createHash('sha1').update(steadyText(file, bytes)).digest('base64');
}

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
