import type { Rule } from '../netfilter/iptables/ast.ts';
import { isServiceChain, serviceChainKind } from '../netfilter/proxyChains.ts';
import { type EqualChains, equalChains } from '../node/chains/equalChains.ts';
import { endpointOf } from '../node/endpointOf.ts';
import { expectedChain } from '../node/expectedRules.ts';
import { linesOf, numbersOf } from '../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { rulesOf, targetName } from '../node/rulesOf.ts';
import { type CompareOptions, compareSets, type SetDiff } from './compareSets.ts';
import type { RenamedRules } from './renamedChain.ts';
import { renamedNft } from './renamedNft.ts';
import { ruleKey } from './ruleKey.ts';

/** Compares by names, and if Services have unexpected chains, also by what chains do. */
export function compareByRole(
  expected: ToolRules,
  found: ToolRules,
  options: CompareOptions,
): SetDiff & Pick<RenamedRules, 'renamed'> {
  const plain = compareSets(expected, found, options);
  const isOfNft = found.kind === 'nftables';
  const isUnknown = plain.chains.some((diff) => diff.expected === undefined && (isOfNft || isServiceChain(diff.chain)));
  if (!isUnknown || options.level === 'bytes' || options.level === 'text') return { ...plain, renamed: [] };
  const roles = isOfNft ? renamedNft(plain.chains, found) : matchRoles(expected, found, options);
  if (roles.renamed.length === 0) return { ...plain, renamed: [] };
  return { ...compareSets(expected, roles.found, options), renamed: roles.renamed };
}

/**
 * Finds chains of Services in the dump that do the same as expected ones: the chain that the same address leads to, or
 * that translates to the same endpoint. Other versions hash other names (unnamed ports before 1.19).
 */
function matchRoles(expected: ToolRules, found: ToolRules, { equal = equalChains() }: CompareOptions): RenamedRules {
  const own = found.tables.get('nat');
  const should = expected.tables.get('nat');
  const none: RenamedRules = { found, renamed: [] };
  if (found.kind !== 'iptables' || !own?.isWhole || !should) return none;
  const isUnknown = (chain: RuleChain) => isServiceChain(chain.name) && !should.chains.has(chain.name);
  if (![...equal.othersOf(own)].some(isUnknown)) return none;
  const names = new Map<string, string>();
  const tables = { should, own, family: found.family, equal, names };
  matchChain(should.chains.get('KUBE-SERVICES'), own.chains.get('KUBE-SERVICES'), tables);
  matchChain(should.chains.get('KUBE-NODEPORTS'), own.chains.get('KUBE-NODEPORTS'), tables);
  // Follows the targets of renamed chains; names only grow, and each chain is looked at once.
  for (const [foundName, expectedName] of names) {
    matchChain(should.chains.get(expectedName), own.chains.get(foundName), tables);
  }
  if (names.size === 0) return none;
  const renamed = [...names].map(([foundName, expectedName]) => ({
    table: 'nat',
    expected: should.chains.get(expectedName) as RuleChain,
    found: own.chains.get(foundName) as RuleChain,
  }));
  return { found: { ...found, tables: new Map([...found.tables, ['nat', withNames(own, names)]]) }, renamed };
}

interface Tables {
  readonly should: RuleTable;
  readonly own: RuleTable;
  readonly family: ToolRules['family'];
  readonly equal: EqualChains;
  /** Found name to expected name. */
  readonly names: Map<string, string>;
}

/** Pairs the targets of rules that are equal except for their target chain. */
function matchChain(
  one: RuleChain | undefined,
  other: RuleChain | undefined,
  { should, own, family, equal, names }: Tables,
): void {
  if (!one || !other) return;
  const keys = new Map<string, string>();
  for (const rule of rulesOf(one, family)) {
    const target = serviceTarget(rule);
    if (target !== undefined) keys.set(roleKey(rule, target, should, family), target);
  }
  for (const rule of rulesOf(other, family)) {
    const target = serviceTarget(rule);
    if (target === undefined || expectedChain(should, own, target, equal) || names.has(target)) continue;
    const match = keys.get(roleKey(rule, target, own, family));
    if (match === undefined || own.chains.has(match) || kindOf(match) !== kindOf(target) || !own.chains.has(target))
      continue;
    names.set(target, match);
  }
}

function serviceTarget({ target }: Rule): string | undefined {
  return target?.kind === 'jump' && isServiceChain(target.chain) ? target.chain : undefined;
}

/** For an endpoint its address; for others what the rule matches, without comments. */
function roleKey({ chain, words }: Rule, target: string, table: RuleTable, family: ToolRules['family']): string {
  if (serviceChainKind(target) === 'endpoint') return `to ${endpointOf(table.chains.get(target), family) ?? target}`;
  return `${kindOf(target)} ${ruleKey({ chain, words })}`;
}

/** `KUBE-SVC-`, `KUBE-FW-`. */
function kindOf(chain: string): string {
  return chain.slice(0, chain.lastIndexOf('-') + 1);
}

/**
 * A table in which some chains have other names, in their declarations, their rules and the rules that lead to them.
 */
function withNames(table: RuleTable, names: ReadonlyMap<string, string>): RuleTable {
  const chains = new Map<string, RuleChain>();
  for (const [name, chain] of table.chains) {
    const own = names.get(name) ?? name;
    const lines = linesOf(chain);
    const isTouched = own !== name || lines.some((line) => names.has(targetName(line)) || names.has(listOf(line)));
    if (!isTouched) {
      chains.set(own, chain);
      continue;
    }
    const text = lines
      .map((line) => withTarget(withList(line.replace(`-A ${name} `, `-A ${own} `), names), names))
      .join('\n');
    chains.set(own, { ...chain, name: own, text, firstLine: 0, lineNumbers: numbersOf(chain) });
  }
  return { ...table, chains };
}

function withTarget(line: string, names: ReadonlyMap<string, string>): string {
  const target = targetName(line);
  const name = names.get(target);
  return name !== undefined && line.endsWith(target) ? line.slice(0, -target.length) + name : line;
}

/** The list of clients in which a rule looks (`recent`): it has the name of the chain of an endpoint. Empty: none. */
function listOf(line: string): string {
  const at = line.indexOf(inList);
  if (at < 0) return '';
  const start = at + inList.length;
  return line.slice(start, line.indexOf(' ', start));
}

function withList(line: string, names: ReadonlyMap<string, string>): string {
  const list = listOf(line);
  const name = names.get(list);
  return name === undefined ? line : line.replace(`${inList}${list} `, `${inList}${name} `);
}

const inList = ' --name ';
