import { endpointOf } from '../findings/checks/ladderChecks.ts';
import type { RuleChange } from '../findings/finding.ts';
import { linesOf, numbersOf } from '../node/chainLines.ts';
import { isServiceChain } from '../node/foreignPrograms.ts';
import { expectedChain, type RuleChain, type RuleSet, type RuleTable } from '../node/nodeRules.ts';
import { targetName } from '../node/rulesOf.ts';
import { type CompareOptions, compareSets, type SetDiff } from './compareSets.ts';
import type { CompareLevel } from './diffChain.ts';

/** Compares by names, and where Services have chains that nobody expects, once more by what chains do. */
export function compareByRole(
  expected: RuleSet,
  found: RuleSet,
  options: CompareOptions,
): SetDiff & Pick<MatchedRoles, 'renamed'> {
  const plain = compareSets(expected, found, options);
  const isUnknown = plain.chains.some((diff) => diff.expected === undefined && isServiceChain(diff.chain));
  if (!isUnknown) return { ...plain, renamed: [] };
  const roles = matchRoles(expected, found, options.level);
  if (roles.renamed.length === 0) return { ...plain, renamed: [] };
  return { ...compareSets(expected, roles.found, options), renamed: roles.renamed };
}

interface MatchedRoles {
  /** The dump with the names that were expected. */
  readonly found: RuleSet;
  /** One for each chain with another name. */
  readonly renamed: readonly RuleChange[];
}

/**
 * Finds chains of Services that do in the dump what others are expected to do: the one that the same address leads to,
 * the one that translates to the same endpoint. Other versions hash other names (unnamed ports before 1.19).
 */
function matchRoles(expected: RuleSet, found: RuleSet, level: CompareLevel): MatchedRoles {
  const own = found.tables.get('nat');
  const should = expected.tables.get('nat');
  const none: MatchedRoles = { found, renamed: [] };
  if (level === 'bytes' || level === 'text' || found.kind !== 'iptables' || !own?.isWhole || !should) return none;
  const isUnknown = ({ name, expectedIn }: RuleChain) =>
    expectedIn !== should && isServiceChain(name) && !should.chains.has(name);
  if (![...own.chains.values()].some(isUnknown)) return none;
  const names = new Map<string, string>();
  matchChain(should.chains.get('KUBE-SERVICES'), own.chains.get('KUBE-SERVICES'), names, should, own);
  matchChain(should.chains.get('KUBE-NODEPORTS'), own.chains.get('KUBE-NODEPORTS'), names, should, own);
  // What renamed chains lead to, and so on; names only grows, each chain is looked at once.
  for (const [foundName, expectedName] of names) {
    const [one, other] = [should.chains.get(expectedName), own.chains.get(foundName)];
    if (one && other) matchChain(one, other, names, should, own, { expected, found });
  }
  if (names.size === 0) return none;
  const renamed = [...names].map(([foundName, expectedName]): RuleChange => {
    const chain = own.chains.get(foundName) as RuleChain;
    const place = chain.declaredAt > 0 ? { place: { file: chain.file, line: chain.declaredAt } } : {};
    return { table: 'nat', chain: expectedName, expected: `:${expectedName} -`, found: `:${foundName} -`, ...place };
  });
  return { found: { ...found, tables: new Map([...found.tables, ['nat', withNames(own, names)]]) }, renamed };
}

interface Sets {
  readonly expected: RuleSet;
  readonly found: RuleSet;
}

/** Pairs the targets of rules that say the same but for the chain they lead to. */
function matchChain(
  one: RuleChain | undefined,
  other: RuleChain | undefined,
  names: Map<string, string>,
  should: RuleTable,
  own: RuleTable,
  sets?: Sets,
): void {
  if (!one || !other) return;
  const keys = new Map<string, string>();
  for (const line of linesOf(one)) {
    const target = targetName(line);
    if (isServiceChain(target)) keys.set(roleKey(line, target, should, sets?.expected), target);
  }
  for (const line of linesOf(other)) {
    const target = targetName(line);
    if (!isServiceChain(target) || expectedChain(should, own, target) || names.has(target)) continue;
    const match = keys.get(roleKey(line, target, own, sets?.found));
    if (match === undefined || own.chains.has(match) || kindOf(match) !== kindOf(target) || !own.chains.has(target))
      continue;
    names.set(target, match);
  }
}

/** For an endpoint its address, for others what the rule matches, comments aside. */
function roleKey(line: string, target: string, table: RuleTable, set: RuleSet | undefined): string {
  if (target.startsWith('KUBE-SEP-') && set) return `to ${endpointOf(table.chains.get(target), set) ?? target}`;
  const text = line.slice(line.indexOf(' ', 3), line.length - target.length);
  return `${kindOf(target)} ${text.replace(/ -m comment --comment (?:"(?:[^"\\]|\\.)*"|\S+)/g, '')}`;
}

function kindOf(chain: string): string {
  return chain.slice(0, 9);
}

function withNames(table: RuleTable, names: ReadonlyMap<string, string>): RuleTable {
  const chains = new Map<string, RuleChain>();
  const renameLine = (line: string) =>
    line.replace(/KUBE-(?:SVC|SVL|SEP|EXT|XLB|FW)-[^\s"]+/g, (name) => names.get(name) ?? name);
  for (const [name, chain] of table.chains) {
    const { parsed, ...rest } = chain;
    const renamed = { ...rest, expectedIn: undefined, block: '', blockFrom: 0, ownNumbers: [...numbersOf(chain)] };
    const own = names.get(name) ?? name;
    const isTouched = own !== name || linesOf(chain).some((line) => names.has(targetName(line)));
    chains.set(own, isTouched ? { ...renamed, name: own, own: linesOf(chain).map(renameLine) } : chain);
  }
  return { ...table, chains };
}
