import { escapeText } from '../../../common/text/escapeText.ts';
import type { Statement } from '../../../netfilter/nft/ast.ts';
import { chainOfElement, chainsNamed } from '../../../netfilter/nft/chainsNamed.ts';
import { UsualRule } from '../../../netfilter/nft/read/usualRule.ts';
import { isProxyTable, nftChainKind } from '../../../netfilter/proxyChains.ts';
import { ledTo, maybeAstray, unledTo } from '../../../node/ledTo.ts';
import { chainPlace, hasLines, placeOf } from '../../../node/lines/chainLines.ts';
import { nftElementsOf, nftRulesOf } from '../../../node/nftItems.ts';
import type { NodeRules, RuleTable } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { translatedBefore } from '../foreign/translatedBefore.ts';
import { type NftFlushed, nftFlushed } from './nftFlushed.ts';

/** Problems of kube-proxy's table in nftables mode: 205–207, 301–303, 308, 403, 404 and 410, and 606 next to it. */
export function nftablesChecks(dump: NodeRules, { needsCheck }: CheckScope): readonly DumpFinding[] {
  const found: DumpFinding[] = [];
  const add: Add = (id, parts) => found.push({ finding: makeFinding(id, parts) });
  for (const { tables } of dump.nft) {
    const own = [...tables.values()].find(({ name }) => isProxyTable(name));
    if (own === undefined || !own.chains.has('services')) continue;
    const known = found.length;
    if (needsCheck(own.name)) {
      const flushed = nftFlushed(own);
      if (flushed !== undefined) sayFlushed(own, flushed, add);
      if (flushed === 'table') continue;
      if (own.isWhole) {
        jumpsIntoNothing(own, flushed === 'services', add);
        missingHooks(own, add);
        missingLookups(own, add);
        masquerading(own, add);
      }
      shares(own, add);
      // A chain that a damaged chain no longer leads to is not a leftover.
      if (found.length === known) leftovers(own, add);
    }
    translatedBefore(own, tables.values(), add);
  }
  return found;
}

type Add = (id: FindingCode, parts: FindingParts) => void;

/** K8N212 and K8N205: one finding for everything that was flushed together. */
function sayFlushed({ name, chains }: RuleTable, flushed: NftFlushed, add: Add): void {
  const own = [...chains.values()].filter((chain) => flushed === 'table' || nftChainKind(chain.name) !== undefined);
  const services = [...new Set([...chains.keys()].flatMap((chain) => nftServiceName(chain) ?? []))];
  const first = chains.get('services') ?? own[0];
  const found = flushed === 'table' && first ? chainPlace(first) : own.slice(0, 1).flatMap(chainPlace);
  if (flushed === 'table') {
    const seen = `no chain of the table ${name} has a rule: it was flushed`;
    add('K8N212', { what: seen, services, found, isServiceMissing: true, ...flushedRemedy });
  } else {
    const seen = `all ${own.length} chains of Services and endpoints of the table ${name} are empty: they were flushed`;
    add('K8N205', { what: seen, services, found, ...flushedRemedy });
  }
}

const flushedRemedy = {
  why: 'Somebody flushed them (`nft flush table`, `nft flush chain`), or a firewall that was reloaded did. Packets return from empty chains: no Service answers.',
  fix: `${commands.findFlusher} ${commands.restart}`,
};

/** K8N206: if nothing looks into the maps of Services any more, that is another finding. */
function leftovers(table: RuleTable, add: Add): void {
  if (ledTo(table)?.has('map service-ips') !== true) return;
  const stale = unledTo(table).filter(({ name }) => nftChainKind(name.replace(/^set /, '')) !== undefined);
  if (stale.length === 0) return;
  const names = stale.slice(0, 3).map(({ name }) => escapeText(name));
  add('K8N206', {
    what: `nothing leads to ${stale.length === 1 ? 'the chain' : `${stale.length} chains:`} ${names.join(', ')}${stale.length > 3 ? ' …' : ''}`,
    found: stale.slice(0, 20).flatMap(chainPlace),
  });
}

function jumpsIntoNothing(table: RuleTable, isFlushed: boolean, add: Add): void {
  const { chains } = table;
  const told = new Set<string>();
  for (const chain of maybeAstray(table) ?? chains.values()) {
    for (const { names, at } of namedIn(chain)) {
      for (const name of names) {
        const target = chains.get(name);
        if (told.has(name) || (target !== undefined && (hasLines(target) || !mustHaveRules.test(name)))) continue;
        told.add(name);
        const what = target === undefined ? 'is not there' : 'is empty';
        const service = nftServiceName(name);
        if (isFlushed && target !== undefined && nftChainKind(name) !== undefined) continue;
        add('K8N205', {
          what: `${escapeText(chain.name)} leads to ${escapeText(name)}, which ${what}`,
          ...(service !== undefined && { service }),
          found: [placeOf(chain, at)],
        });
      }
    }
  }
}

/** Chains of Services and endpoints, and those that masquerade packets. */
const mustHaveRules = /^(?:[a-z]+-[A-Z0-9]{8}-|(?:masquerading|mark-for-masquerade)$)/;

function namedIn(chain: RuleChain): readonly { readonly names: readonly string[]; readonly at: number }[] {
  return [
    ...nftRulesOf(chain).map(({ item, at }) => ({ names: item.statements.flatMap(chainsNamed), at })),
    ...nftElementsOf(chain).map(({ item, at }) => ({ names: chainOfElement(item), at })),
  ];
}

/** Where packets must enter: the type of base chain, its hook, and the chain that it leads to. */
const hooks = [
  ['nat', 'prerouting', 'services'],
  ['nat', 'output', 'services'],
  ['nat', 'postrouting', 'masquerading'],
] as const;

function missingHooks({ name, chains }: RuleTable, add: Add): void {
  const all = [...chains.values()];
  for (const [type, hook, target] of hooks) {
    const isHooked = all.some((chain) => {
      const base = chain.content?.kind === 'nftChain' ? chain.content.chain.base : undefined;
      if (base?.type !== type || base.hook !== hook) return false;
      return nftRulesOf(chain).some(({ item }) => item.statements.flatMap(chainsNamed).includes(target));
    });
    const home = chains.get(target);
    if (isHooked || home === undefined) continue;
    add('K8N207', {
      what: `no base chain at ${hook} of the table ${name} jumps to ${target}`,
      found: chainPlace(home),
    });
  }
}

/** Maps that decide where packets go: without a rule that looks into them they have no effect. */
const lookedUp = ['service-ips', 'service-nodeports', 'no-endpoint-services', 'no-endpoint-nodeports', 'firewall-ips'];

function missingLookups({ chains }: RuleTable, add: Add): void {
  const all = [...chains.values()];
  for (const name of lookedUp) {
    const map = chains.get(`map ${name}`);
    if (map?.content?.kind !== 'nftSet' || !map.content.set.elements?.length) continue;
    const isAsked = all.some((chain) =>
      nftRulesOf(chain).some(({ item }) => item.statements.some((one) => looksInto(one, name))),
    );
    if (isAsked) continue;
    add('K8N207', { what: `no rule looks into the map ${name}, which has elements`, found: chainPlace(map) });
  }
}

function looksInto(statement: Statement, name: string): boolean {
  return statement.kind === 'vmap' && statement.map.kind === 'namedMap' && statement.map.name === name;
}

function shares({ chains }: RuleTable, add: Add): void {
  for (const chain of chains.values()) {
    if (!/^(?:service|local)-/.test(chain.name)) continue;
    for (const { item, at } of nftRulesOf(chain)) {
      if (item instanceof UsualRule) continue;
      const balance = item.statements.map(balanceOf).find((one) => one !== undefined);
      if (balance === undefined || isEven(balance)) continue;
      const { modulus, targets } = balance;
      const service = nftServiceName(chain.name);
      const parts = { ...(service !== undefined && { service }), found: [placeOf(chain, at)] };
      const own = escapeText(chain.name);
      const lost = modulus - [...targets.keys()].filter((number) => number < modulus).length;
      if (lost > 0) {
        const percent = ((lost / modulus) * 100).toFixed(1);
        add('K8N301', {
          ...parts,
          what: `${percent} % of the traffic passes ${own}: ${lost} of ${modulus} numbers lead nowhere`,
        });
      }
      if (targets.size > modulus) {
        add('K8N302', {
          ...parts,
          what: `${own} never reaches ${targets.size - modulus} of ${targets.size} endpoints`,
        });
        const reached = new Set([...targets].filter(([number]) => number < modulus).map(([, target]) => target));
        const idle = new Set([...targets.values()].filter((target) => !reached.has(target)));
        if (idle.size > 0) {
          const shown = [...idle].slice(0, 4).map(escapeText).join(', ');
          add('K8N308', { ...parts, what: `${own} sends no new connection to ${shown}` });
        }
      }
      if (new Set(targets.values()).size < targets.size) {
        add('K8N303', { ...parts, what: `${own} leads to one endpoint by more than one number` });
      }
    }
  }
}

/** Where each number of a random choice leads: to a chain, or by DNAT to an address and port. */
function balanceOf(statement: Statement): Balance | undefined {
  const lookup = statement.kind === 'vmap' ? statement : statement.kind === 'nat' ? statement.lookup : undefined;
  if (lookup?.key.kind !== 'numgen' || lookup.map.kind !== 'anonymousMap') return undefined;
  const targets = new Map<number, string>();
  for (const { key, verdict, value } of lookup.map.elements) {
    const target = verdict !== undefined && 'chain' in verdict ? verdict.chain : (value?.join(' . ') ?? '');
    targets.set(Number(key[0] ?? ''), target);
  }
  return { modulus: lookup.key.modulus, targets };
}

/** Each number leads somewhere, no two to the same place: all that kube-proxy writes does. */
function isEven({ modulus, targets }: Balance): boolean {
  if (targets.size !== modulus) return false;
  for (let number = 0; number < modulus; number += 1) if (!targets.has(number)) return false;
  return new Set(targets.values()).size === modulus;
}

interface Balance {
  readonly modulus: number;
  readonly targets: ReadonlyMap<number, string>;
}

/** Through 1.35 rules return and flip the mark before the one that masquerades; since 1.36 one rule does everything. */
function masquerading({ chains }: RuleTable, add: Add): void {
  const chain = chains.get('masquerading');
  const rules = nftRulesOf(chain).map(({ item }) => item);
  if (chain === undefined || rules.length === 0) return;
  const at = rules.findIndex((rule) => rule.statements.some(isMasquerade) && !rule.statements.some(looksUpHairpin));
  const own = rules[at]?.statements ?? [];
  const before = rules.slice(0, at).flatMap(({ statements }) => statements);
  const found = chainPlace(chain);
  const isGuarded = own.some(({ kind }) => kind === 'match') || before.some(isReturn);
  if (at === -1) add('K8N410', { what: 'the chain masquerading has no masquerade', found });
  else if (!isGuarded) {
    add('K8N410', {
      what: 'the chain masquerading masquerades every packet: nothing tells those without the mark',
      found,
    });
  } else if (![...before, ...own].some(isFlip)) {
    add('K8N404', { what: 'the chain masquerading does not take the mark off', found });
  }
  const isHairpinSeen = rules.some(
    ({ statements }) => statements.some(looksUpHairpin) && statements.some(isMasquerade),
  );
  if (chains.has(`set ${hairpinSet}`) && !isHairpinSeen) {
    add('K8N403', { what: `the chain masquerading does not look into set ${hairpinSet}`, found });
  }
}

/** Since 1.36. */
const hairpinSet = 'hairpin-connections';

function isMasquerade(statement: Statement): boolean {
  return statement.kind === 'nat' && statement.action === 'masquerade';
}

function isReturn(statement: Statement): boolean {
  return statement.kind === 'verdict' && statement.verdict.kind === 'return';
}

function isFlip(statement: Statement): boolean {
  return statement.kind === 'assign' && statement.target.kind === 'meta' && statement.target.key === 'mark';
}

function looksUpHairpin(statement: Statement): boolean {
  return statement.kind === 'match' && statement.right.kind === 'namedSet' && statement.right.name === hairpinSet;
}
