import type { DumpKind } from './dumpKind.ts';

/** Files that `collect` adds to dumps and a command reads, by name, because the text alone need not show the kind. */
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

/** The kind for a path in an archive or a folder; undefined: not such a fact. */
export function factKindOf(path: string): DumpKind | undefined {
  return factFiles.get(/(?:^|\/)(facts\/[^/]+)$/.exec(path)?.[1] ?? '');
}
