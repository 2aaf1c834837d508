import type { Family } from '../common/addresses/family.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import { isServiceChain } from '../netfilter/proxyChains.ts';
import { chainOf, type TableDraft } from '../node/chains/chainDraft.ts';
import { hasLines } from '../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import { contradicts } from './contradicts.ts';
import { mergeChain } from './readIptables.ts';

/** Merges what one text shows with what others of the same node showed: parts of one table come together. */
export function mergeRules(all: ToolRules[], rules: ToolRules, notes: string[] = []): void {
  if ([...rules.tables.values()].every(({ chains }) => chains.size === 0)) return;
  const at = all.findIndex(
    (other) => other.kind === rules.kind && other.family === rules.family && canMerge(other, rules),
  );
  const into = all[at];
  if (into === undefined) {
    all.push(rules);
    return;
  }
  const tables = new Map(into.tables);
  for (const [name, table] of rules.tables) {
    const own = tables.get(name);
    if (own === undefined) {
      tables.set(name, table);
      continue;
    }
    const { isWritten, cut, hasLostLines } = table;
    tables.set(name, {
      ...own,
      ...(isWritten && { isWritten }),
      // In lines that a file lost, there may be any rule.
      ...(hasLostLines && cut && { isWhole: false, cut, hasLostLines }),
    });
    // Everything here is still being read: tables are drafts until the last file.
    const twice: string[] = [];
    for (const chain of table.chains.values()) {
      const known = own.chains.get(chain.name);
      if (known !== undefined && isServiceChain(chain.name) && contradicts(known, chain)) twice.push(chain.name);
      else mergeChain(chainOf(own as TableDraft, chain.name, chain.file), chain);
    }
    if (twice[0] !== undefined) notes.push(shownTwice(twice[0], twice.length, rules.files));
  }
  all[at] = {
    ...into,
    tables,
    ...(rules.isLossy && { isLossy: true as const }),
    ...(rules.hidesInterfaces && { hidesInterfaces: true as const }),
    files: [...new Set([...into.files, ...rules.files])],
  };
}

function shownTwice(chain: string, count: number, files: readonly string[]): string {
  const which = count === 1 ? chain : `${chain} and ${count - 1} more chains`;
  return `${files.join(', ')}: ${which} shown twice with different rules, as of two nodes or times; the first is used`;
}

/**
 * One back end has a table once: iptables-save and iptables-nft-save on a node print the same. A second dump of a table
 * is left out.
 */
export function withoutCopies(rules: ToolRules, all: readonly ToolRules[], notes: string[]): ToolRules {
  let left = rules;
  for (const other of all) {
    if (other.kind !== 'iptables' || other.family !== rules.family) continue;
    // A second dump in one text that names no back end comes from another node or time.
    const isOneText = rules.files.some((file) => other.files.includes(file));
    const isSameBackend = other.backend === rules.backend && (other.backend !== undefined || isOneText);
    const isEitherBackend = other.backend === undefined || rules.backend === undefined;
    if (!isSameBackend && !isEitherBackend) continue;
    if (rules.isLossy && !other.isLossy) {
      left = withoutListed(left, other, notes);
      continue;
    }
    const twice = [...left.tables.values()].filter((table) => table.isWhole && other.tables.get(table.name)?.isWhole);
    const isEqual = twice.every((table) => hasSameRules(table, other.tables.get(table.name) as RuleTable));
    if (twice.length === 0 || (!isEqual && !isSameBackend)) continue;
    const names = twice.map(({ name }) => name).join(', ');
    const shown = isOneText
      ? `${rules.files.join(', ')}: ${names} of ${rules.family} shown twice`
      : `${rules.files.join(', ')}: ${other.files.join(', ')} ${other.files.length === 1 ? 'shows' : 'show'} ${names} of ${rules.family} too`;
    const apart = isOneText ? 'as of two nodes or times' : 'of the same back end';
    notes.push(isEqual ? shown : `${shown}, with different rules, ${apart}; the first is used`);
    left = withoutTables(left, twice);
  }
  return left;
}

/** A listing shows less than iptables-save; if it lacks chains, they belong to another back end, node or time. */
function withoutListed(listed: ToolRules, saved: ToolRules, notes: string[]): ToolRules {
  const inFull = [...listed.tables.values()].filter(({ name, chains }) => {
    const table = saved.tables.get(name);
    return table?.isWhole && [...chains.keys()].every((chain) => table.chains.has(chain));
  });
  const others = inFull.filter((table) => !hasSameRules(table, saved.tables.get(table.name) as RuleTable));
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ');
    notes.push(
      `${listed.files.join(', ')}: ${names} of ${listed.family} left out, as ${saved.files.join(', ')} shows more of it`,
    );
  }
  return withoutTables(listed, inFull);
}

function withoutTables(rules: ToolRules, away: readonly RuleTable[]): ToolRules {
  return { ...rules, tables: new Map([...rules.tables].filter(([name]) => !away.some((one) => one.name === name))) };
}

/**
 * Routes replace the addresses of kube-ipvs0 if these are incomplete or missing. That there are none counts only on a
 * node in IPVS mode: no other mode has the device.
 */
export function mergeAddresses(all: ToolRules[], shown: readonly ToolRules[], routed: readonly ToolRules[]): void {
  const hasIpvs = (family: Family) => all.some((rules) => rules.kind === 'ipvs' && rules.family === family);
  const isWhole = ({ tables }: ToolRules) => tables.get('addresses')?.isWhole === true;
  const lacks = (list: readonly ToolRules[]) => (one: ToolRules) => !list.some(({ family }) => family === one.family);
  const whole = shown.filter(isWhole);
  const known = [...whole, ...routed.filter(lacks(whole))];
  for (const rules of [...known, ...shown.filter((one) => !isWhole(one)).filter(lacks(known))]) {
    const isEmpty = !hasLines(rules.tables.get('addresses')?.chains.get(ipvsDevice));
    if (!isEmpty || (hasIpvs(rules.family) && isWhole(rules))) mergeRules(all, rules);
  }
}

/**
 * Tables of iptables-nft are nft tables too, and `nft list ruleset` lists them; nft before 1.0.7 says which ones only
 * on standard error. The output of iptables-nft-save takes precedence. One of nft's own tables may have such a name if
 * iptables is the legacy one.
 */
export function withoutListedCopies(all: readonly ToolRules[]): readonly ToolRules[] {
  return all.map((rules): ToolRules => {
    if (rules.kind !== 'nftables') return rules;
    const saved = all.filter(({ kind, family, backend }) => {
      return kind === 'iptables' && family === rules.family && backend !== 'legacy';
    });
    const prefix = rules.family === 'ipv4' ? 'ip ' : 'ip6 ';
    const isCopy = (name: string, table: RuleTable) =>
      name.startsWith(prefix) &&
      saved.some(({ backend, tables }) => {
        const own = tables.get(name.slice(prefix.length));
        const isSame = own && [...table.chains.keys()].every((chain) => own.chains.has(chain));
        return isSame || (own !== undefined && backend === 'nft');
      });
    const left = [...rules.tables].filter(([name, table]) => !isCopy(name, table));
    return left.length === rules.tables.size ? rules : { ...rules, tables: new Map(left) };
  });
}

/** If one of two dumps names nft, the other is from iptables-legacy, which never names itself. */
export function withBackends(all: readonly ToolRules[]): readonly ToolRules[] {
  return all.map((rules) => {
    const hasNftTwin = all.some(
      (other) =>
        other !== rules && other.kind === 'iptables' && other.family === rules.family && other.backend === 'nft',
    );
    return rules.kind === 'iptables' && rules.backend === undefined && hasNftTwin
      ? { ...rules, backend: 'legacy' }
      : rules;
  });
}

function hasSameRules(one: RuleTable, other: RuleTable): boolean {
  if (one.chains.size !== other.chains.size) return false;
  for (const chain of one.chains.values()) {
    const against = other.chains.get(chain.name);
    if (against === undefined || against.policy !== chain.policy || against.text !== chain.text) return false;
  }
  return true;
}

/** It is not a piece that other pieces of the same table may complete. */
function isOneDump({ isWhole, cut }: RuleTable): boolean {
  return isWhole || cut !== undefined;
}

/** Two dumps of whole tables with one name come from two back ends; the name of a back end identifies it too. */
function canMerge(one: ToolRules, other: ToolRules): boolean {
  if (one.backend !== undefined && other.backend !== undefined && one.backend !== other.backend) return false;
  for (const [name, table] of other.tables) {
    const own = one.tables.get(name);
    if (own && isOneDump(own) && isOneDump(table)) return false;
  }
  return true;
}
