import { cidrContains } from '../../common/cidr.ts';
import { escapeText } from '../../common/escapeText.ts';
import { linesOf, placeOf } from '../../node/chainLines.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import type { FindingId } from '../finding.ts';
import type { FindingParts } from '../makeFinding.ts';
import { type Destination, reach } from './reach.ts';

type Add = (id: FindingId, parts: FindingParts) => void;

/** K8N606: kube-proxy translates at priority -100; what comes before and can match a Service takes its traffic. */
export function translatedBefore(own: RuleTable, tables: Iterable<RuleTable>, add: Add): void {
  const destinations = destinationsOf(own);
  for (const table of tables) if (table !== own) checkTable(table, destinations, add);
}

function checkTable({ name, chains }: RuleTable, destinations: readonly Destination[], add: Add): void {
  for (const chain of chains.values()) {
    const base = /^type nat hook (prerouting|output) priority (-?\d+)/.exec(linesOf(chain)[0] ?? '');
    if (base === null || Number(base[2]) > -100) continue;
    for (const [at, rule] of linesOf(chain).entries()) {
      if (!/(?:^| )(?:dnat|redirect)(?: |$)/.test(rule) || /[io]if(?:name)? "?(?:lo|docker|br-|virbr)/.test(rule))
        continue;
      const reached = reach(
        destinations,
        ({ ip }) => mayAddress(rule, ip),
        (destination) => mayPort(rule, destination),
      );
      if (reached === 'none') continue;
      const isCertain = reached === 'service' && Number(base[2]) < -100;
      const seen = `at ${base[1]} the table ${escapeText(name)} translates before kube-proxy: ${escapeText(rule)}`;
      add('K8N606', { seen, found: [placeOf(chain, at)], ...(!isCertain && { severity: 'warning' }) });
      break;
    }
  }
}

function destinationsOf({ chains }: RuleTable): readonly Destination[] {
  return ['map service-ips', 'map service-nodeports'].flatMap((map) =>
    linesOf(chains.get(map)).flatMap((line) => {
      const [, ip, protocol = '', port] = /^(?:(\S+) \. )?([a-z]+) \. (\d+) :/.exec(line) ?? [];
      return port === undefined ? [] : [{ ip, protocol, port: Number(port) }];
    }),
  );
}

function mayAddress(rule: string, ip: string | undefined): boolean {
  const [, negated, address] = /(?:^| )ip6? daddr (!= )?([0-9a-f][^\s,]*)(?: |$)/.exec(rule) ?? [];
  return (
    address === undefined ||
    ip === undefined ||
    cidrContains(address.includes('/') ? address : `${address}/${ip.includes(':') ? 128 : 32}`, ip) !==
      (negated !== undefined)
  );
}

function mayPort(rule: string, { protocol, port }: Destination): boolean {
  const [, own, negated, ports = ''] = /(?:^| )(tcp|udp|sctp) dport (!= )?(\{[^}]*\}|\d\S*)/.exec(rule) ?? [];
  if (own === undefined) return true;
  const isWithin = ports
    .replace(/[{}\s]/g, '')
    .split(',')
    .some((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return from <= port && port <= to;
    });
  return own === protocol && isWithin !== (negated !== undefined);
}
