import type { DumpKind } from './dumpKind.ts';

/** What `collect` puts beside dumps that a command reads, by its file; the text alone need not tell the kind. */
export const factFiles: ReadonlyMap<string, DumpKind> = new Map([
  ['facts/policy-rules.txt', 'rules'],
  ['facts/sysctl.txt', 'sysctl'],
  ['facts/modules.txt', 'modules'],
  ['facts/conntrack.v4.txt', 'conntrack'],
  ['facts/conntrack.v6.txt', 'conntrack'],
  ['facts/proxy-mode.txt', 'proxyMode'],
  ['facts/healthz.txt', 'healthz'],
  ['facts/metrics.txt', 'metrics'],
]);

/** Of a path in an archive or a folder; undefined: no such fact. */
export function factKindOf(path: string): DumpKind | undefined {
  return factFiles.get(/(?:^|\/)(facts\/[^/]+)$/.exec(path)?.[1] ?? '');
}
