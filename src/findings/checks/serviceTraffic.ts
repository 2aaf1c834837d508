import { cidrContains } from '../../common/cidr.ts';
import type { Rule, Word } from '../../netfilter/iptables/ast.ts';
import { ruleHead } from '../../netfilter/iptables/ruleHead.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { type Destination, type Reach, reach } from './reach.ts';

/**
 * What the words of a rule can match. The destinations of the dump's Services are read when it is asked first; where it does
 * not show them (IPVS keeps addresses in sets), all may be theirs.
 */
export function serviceTraffic(set: ToolRules): (words: Rule['words']) => Reach {
  let destinations: readonly Destination[] | undefined;
  return (words) => {
    destinations ??= destinationsOf(set);
    if (destinations.length === 0) return 'service';
    return reach(
      destinations,
      (destination) => words.every((word) => mayAddress(word, destination)),
      (destination) => words.every((word) => mayPort(word, destination)),
    );
  };
}

function destinationsOf(set: ToolRules): readonly Destination[] {
  const nat = set.tables.get('nat');
  return ['KUBE-SERVICES', 'KUBE-NODEPORTS'].flatMap((name) => {
    const chain = nat?.chains.get(name);
    return (chain === undefined ? [] : rulesOf(chain, set.family)).flatMap((rule): Destination[] => {
      const { destination: ip, protocol, destinationPort } = ruleHead(rule);
      if (protocol === undefined || destinationPort === undefined) return [];
      if ((ip === undefined) !== (name === 'KUBE-NODEPORTS')) return [];
      return [{ ip, protocol, port: Number(destinationPort) }];
    });
  });
}

function mayAddress(word: Word, { ip }: Destination): boolean {
  // The addresses of the node are not known here; those of Services are mostly none of them.
  if (word.kind === 'destination' && ip !== undefined)
    return cidrContains(word.address, ip) !== (word.negated ?? false);
  if (word.kind !== 'addrtype' || ip === undefined) return true;
  return !word.options.some((option) => option.name === 'dst-type' && !option.negated && option.types[0] === 'LOCAL');
}

function mayPort(word: Word, { protocol, port }: Destination): boolean {
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
