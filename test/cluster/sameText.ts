import { readFileSync } from 'node:fs';
import { runCli } from '../support/runCli.ts';
import { type Snapshot, targetOf } from './nodeDump.ts';
import type { ProxyNode } from './openCluster.ts';

/**
 * Lines that only one side has: `compile -o save` on the one, the kernel on the other, without the reader of `diff`.
 * In iptables mode rules stand as they were printed; in nftables mode a rule or an element is a line, and chains that hold
 * nothing do not count, since kube-proxy empties them before it deletes them.
 */
export function textDifferences({ objects, dumps }: Snapshot, node: ProxyNode): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const dump = readFileSync(dumps[node.mode === 'iptables' && family === 'ipv6' ? 1 : 0] as string, 'utf8');
    // Kernels that cannot count so have rules without it: kube-proxy tries.
    const counting = dump.includes('-m nfacct') ? ['--nfacct'] : [];
    const asked = ['compile', '-f', objects, ...targetOf(node), ...counting, '--family', family, '-q'];
    const { status, stdout, stderr } = runCli(asked);
    if (status !== 0) return [stderr];
    const [own, kernel] =
      node.mode === 'iptables' ? [rulesOf(stdout), rulesOf(dump)] : [partsOf(stdout, family), partsOf(dump, family)];
    const missing = own.filter((line) => !kernel.includes(line));
    const others = kernel.filter((line) => !own.includes(line));
    const isOfFormerOwner = (line: string, among: readonly string[]) => among.some((one) => differsInOwner(line, one));
    return [
      ...missing.filter((line) => !isOfFormerOwner(line, others)).map((line) => `${family}: the kernel lacks ${line}`),
      ...others.filter((line) => !isOfFormerOwner(line, missing)).map((line) => `${family}: the kernel has ${line}`),
    ];
  });
}

/**
 * Elements that differ in the Service that their comments name: kube-proxy leaves an element alone whose key and value are
 * right, so that a port of an address that another Service has taken over keeps the comment of the first.
 */
function differsInOwner(one: string, other: string): boolean {
  const owner = / comment "([^":]+)(:[^"]*)?"/;
  const [, name] = owner.exec(one) ?? [];
  const [, otherName] = owner.exec(other) ?? [];
  const isSame = one.replace(owner, '') === other.replace(owner, '');
  return isSame && name !== undefined && otherName !== undefined && name !== otherName;
}

function rulesOf(save: string): readonly string[] {
  return save
    .split('\n')
    .filter((line) => line.startsWith('-A KUBE-'))
    .map((line) => line.replace(/ {2,}/g, ' '));
}

/** Rules with their chain, elements with their set, of kube-proxy's table of a family. */
function partsOf(listing: string, family: 'ipv4' | 'ipv6'): readonly string[] {
  const parts: string[] = [];
  let isOwn = false;
  let block = '';
  for (const line of listing.split('\n').map((each) => each.trim())) {
    if (line.startsWith('table ')) isOwn = line === `table ${family === 'ipv4' ? 'ip' : 'ip6'} kube-proxy {`;
    if (!isOwn) continue;
    const opened = /^(?:chain|set|map) (\S+) \{$/.exec(line);
    if (opened) block = opened[1] as string;
    else if (/^(?:comment|type|flags|size|timeout|policy|elements = \{ \})/.test(line) || line === '}' || line === '')
      continue;
    else if (!/^affinity-/.test(block)) for (const part of elementsOf(line)) parts.push(`${block}: ${part}`);
  }
  return parts;
}

/** `elements = { a : b, c : d,` goes on in the next lines. A rule stays whole; the two names of a chain's priority are one. */
function elementsOf(line: string): readonly string[] {
  if (!/^elements = |[,}]$/.test(line) || / (?:map|vmap|daddr|saddr) \{/.test(line)) return [unordered(line)];
  const inner = line
    .replace(/^elements = \{ /, '')
    .replace(/ ?\}$/, '')
    .replace(/,$/, '');
  return inner.split(', ').filter((each) => each !== '');
}

/** Which of several ranges in one rule is written first, kube-proxy leaves to chance. */
function unordered(rule: string): string {
  return rule.replace(/(addr (?:!= )?\{ )([^}]*)( \})/g, (_, open: string, list: string, end: string) => {
    return `${open}${list.split(', ').sort().join(', ')}${end}`;
  });
}
