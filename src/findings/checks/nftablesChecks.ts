import { cidrContains } from '../../common/cidr.ts';
import { escapeText } from '../../common/escapeText.ts';
import { chainPlace, hasLines, linesOf, placeOf } from '../../node/chainLines.ts';
import { isProxyTable } from '../../node/foreignPrograms.ts';
import { nftServiceName } from '../../node/nftServiceName.ts';
import type { NodeRules, RuleTable } from '../../node/nodeRules.ts';
import type { FindingId } from '../finding.ts';
import { type FindingParts, makeFinding } from '../makeFinding.ts';
import type { DumpFinding, NeedsCheck } from './dumpFinding.ts';
import { type Entrance, reach } from './reach.ts';

/** What is wrong with kube-proxy's table of nftables mode by itself: 205, 207, 301–303, 404 and 410, and 606 beside it. */
export function nftablesChecks(dump: NodeRules, needsCheck: NeedsCheck): readonly DumpFinding[] {
  const found: DumpFinding[] = [];
  const add: Add = (id, parts) => found.push({ finding: makeFinding(id, parts), about: '' });
  for (const { tables } of dump.nft) {
    const own = [...tables.values()].find(({ name }) => isProxyTable(name));
    if (own === undefined || !own.chains.has('services')) continue;
    if (needsCheck(own.name)) {
      jumpsIntoNothing(own, add);
      missingHooks(own, add);
      shares(own, add);
      masquerading(own, add);
    }
    const entrances = entrancesOf(own);
    for (const table of tables.values()) if (table !== own) translatedBefore(table, entrances, add);
  }
  return found;
}

type Add = (id: FindingId, parts: FindingParts) => void;

function jumpsIntoNothing({ chains }: RuleTable, add: Add): void {
  const said = new Set<string>();
  for (const chain of chains.values()) {
    for (const [at, line] of linesOf(chain).entries()) {
      for (const [, name = ''] of line.matchAll(/(?:goto|jump) ([^\s,}]+)/g)) {
        const target = chains.get(name);
        if (said.has(name) || (target !== undefined && (hasLines(target) || !/^[a-z]+-[A-Z0-9]{8}-/.test(name))))
          continue;
        said.add(name);
        const what = target === undefined ? 'is not there' : 'is empty';
        const service = nftServiceName(name);
        add('K8N205', {
          seen: `${escapeText(chain.name)} leads to ${escapeText(name)}, which ${what}`,
          ...(service !== undefined && { service }),
          found: [placeOf(chain, at)],
        });
      }
    }
  }
}

/** Where packets must come in: the kind of base chain, its hook, and the chain that it leads to. */
const hooks = [
  ['nat', 'prerouting', 'services'],
  ['nat', 'output', 'services'],
  ['nat', 'postrouting', 'masquerading'],
] as const;

function missingHooks({ name, chains }: RuleTable, add: Add): void {
  const all = [...chains.values()];
  for (const [type, hook, target] of hooks) {
    const isHooked = all.some((chain) => {
      const [head = '', ...rules] = linesOf(chain);
      return head.startsWith(`type ${type} hook ${hook} `) && rules.some((rule) => rule.endsWith(`jump ${target}`));
    });
    const home = chains.get(target);
    if (isHooked || home === undefined) continue;
    add('K8N207', {
      seen: `no base chain at ${hook} of the table ${name} jumps to ${target}`,
      found: chainPlace(home),
    });
  }
}

function shares({ chains }: RuleTable, add: Add): void {
  for (const chain of chains.values()) {
    if (!/^(?:service|local)-/.test(chain.name)) continue;
    for (const [at, line] of linesOf(chain).entries()) {
      const balance = /numgen random mod (\d+) vmap \{(.*)\}/.exec(line);
      if (balance === null) continue;
      const targets = new Map<number, string>();
      for (const [, number, target = ''] of (balance[2] as string).matchAll(/(\d+) : goto ([^\s,}]+)/g)) {
        targets.set(Number(number), target);
      }
      const modulus = Number(balance[1]);
      const service = nftServiceName(chain.name);
      const parts = { ...(service !== undefined && { service }), found: [placeOf(chain, at)] };
      const own = escapeText(chain.name);
      const lost = modulus - [...targets.keys()].filter((number) => number < modulus).length;
      if (lost > 0) {
        const percent = ((lost / modulus) * 100).toFixed(1);
        add('K8N301', {
          ...parts,
          seen: `${percent} % of the traffic passes ${own}: ${lost} of ${modulus} numbers lead nowhere`,
        });
      }
      if (targets.size > modulus) {
        add('K8N302', {
          ...parts,
          seen: `${own} never reaches ${targets.size - modulus} of ${targets.size} endpoints`,
        });
      }
      if (new Set(targets.values()).size < targets.size) {
        add('K8N303', { ...parts, seen: `${own} leads to one endpoint by more than one number` });
      }
    }
  }
}

function masquerading({ chains }: RuleTable, add: Add): void {
  const chain = chains.get('masquerading');
  const rules = linesOf(chain);
  if (chain === undefined || rules.length === 0) return;
  const at = rules.findIndex((rule) => rule.startsWith('masquerade'));
  const before = rules.slice(0, at);
  const found = chainPlace(chain);
  if (at === -1) add('K8N410', { seen: 'the chain masquerading has no masquerade', found });
  else if (!before.some((rule) => / return$/.test(rule))) {
    add('K8N410', {
      seen: 'the chain masquerading masquerades every packet: nothing returns those without the mark',
      found,
    });
  } else if (!before.some((rule) => / mark set /.test(rule))) {
    add('K8N404', { seen: 'the chain masquerading does not take the mark off', found });
  }
}

/** kube-proxy translates at priority -100; what comes before and can match a Service takes its traffic. */
function translatedBefore({ name, chains }: RuleTable, entrances: readonly Entrance[], add: Add): void {
  for (const chain of chains.values()) {
    const base = /^type nat hook (prerouting|output) priority (-?\d+)/.exec(linesOf(chain)[0] ?? '');
    if (base === null || Number(base[2]) > -100) continue;
    for (const [at, rule] of linesOf(chain).entries()) {
      if (!/(?:^| )(?:dnat|redirect)(?: |$)/.test(rule) || /[io]if(?:name)? "?(?:lo|docker|br-|virbr)/.test(rule))
        continue;
      const reached = reach(
        entrances,
        ({ ip }) => mayAddress(rule, ip),
        (entrance) => mayPort(rule, entrance),
      );
      if (reached === 'none') continue;
      const isCertain = reached === 'service' && Number(base[2]) < -100;
      const seen = `at ${base[1]} the table ${escapeText(name)} translates before kube-proxy: ${escapeText(rule)}`;
      add('K8N606', { seen, found: [placeOf(chain, at)], ...(!isCertain && { severity: 'warning' }) });
      break;
    }
  }
}

function entrancesOf({ chains }: RuleTable): readonly Entrance[] {
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

function mayPort(rule: string, { protocol, port }: Entrance): boolean {
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
