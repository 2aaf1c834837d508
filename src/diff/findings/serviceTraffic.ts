import { cidrContains } from '../../common/cidr.ts';
import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { linesOf } from '../chainLines.ts';
import type { RuleSet } from '../nodeRules.ts';

/**
 * What a rule can match: traffic of a Service that the dump knows, only other ports of a Service's address, or neither.
 * Where a dump does not show the addresses of Services (IPVS keeps them in sets), all may be theirs.
 */
export type Reach = 'service' | 'address' | 'none';

/** Reads the entrances of a dump's Services when it is asked first. */
export function serviceTraffic(set: RuleSet): (words: Rule['words']) => Reach {
  let entrances: readonly Entrance[] | undefined;
  return (words) => {
    entrances ??= entrancesOf(set);
    if (entrances.length === 0) return 'service';
    let reach: Reach = 'none';
    for (const entrance of entrances) {
      if (!words.every((word) => mayAddress(word, entrance))) continue;
      if (words.every((word) => mayPort(word, entrance))) return 'service';
      if (entrance.ip !== undefined) reach = 'address';
    }
    return reach;
  };
}

interface Entrance {
  /** Undefined: a node port, on addresses that the dump does not show. */
  readonly ip: string | undefined;
  readonly protocol: string;
  readonly port: number;
}

function entrancesOf(set: RuleSet): readonly Entrance[] {
  const nat = set.tables.get('nat');
  const read = (chain: string, pattern: RegExp) =>
    linesOf(nat?.chains.get(chain)).flatMap((line): Entrance[] => {
      const { ip, protocol = '', port } = pattern.exec(line)?.groups ?? {};
      return port === undefined ? [] : [{ ip, protocol, port: Number(port) }];
    });
  return [
    ...read('KUBE-SERVICES', /^-A \S+ -d (?<ip>[^/\s]+)\S* -p (?<protocol>\S+) .*--dport (?<port>\d+)/),
    ...read('KUBE-NODEPORTS', /^-A \S+ -p (?<protocol>\S+) .*--dport (?<port>\d+)/),
  ];
}

function mayAddress(word: Word, { ip }: Entrance): boolean {
  // The addresses of the node are not known here; those of Services are mostly none of them.
  if (word.kind === 'destination' && ip !== undefined)
    return cidrContains(word.address, ip) !== (word.negated ?? false);
  if (word.kind !== 'addrtype' || ip === undefined) return true;
  return !word.options.some(({ name, values, negated }) => name === 'dst-type' && !negated && values[0] === 'LOCAL');
}

function mayPort(word: Word, { protocol, port }: Entrance): boolean {
  if (word.kind === 'protocol') return (word.protocol === protocol) !== (word.negated ?? false);
  if (word.kind === 'transport' && word.destinationPort !== undefined) {
    return isWithin(word.destinationPort, port) !== (word.destinationPortNegated ?? false);
  }
  if (word.kind !== 'other' || word.name !== 'multiport') return true;
  return word.options.every(
    ({ name, values, negated }) =>
      name !== 'dports' || (values[0] ?? '').split(',').some((ports) => isWithin(ports, port)) !== (negated ?? false),
  );
}

/** `80`, `30000:32767`; a name of a port may be any. */
function isWithin(ports: string, port: number): boolean {
  const [from, to = from] = ports.split(':').map(Number);
  return (
    from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to) || (from <= port && port <= to)
  );
}
