import { cidrContains } from '../common/cidr.ts';
import { count } from '../common/count.ts';
import { pushAll } from '../common/pushAll.ts';
import { compareByRole } from '../compare/compareByRole.ts';
import type { ChainDiff } from '../compare/compareSets.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import type { CheckScope } from '../findings/checks/checkScope.ts';
import { dumpChecks } from '../findings/checks/dumpChecks.ts';
import { manifestChecks } from '../findings/checks/manifestChecks.ts';
import { coveringOf } from '../findings/coveringOf.ts';
import { explainChain } from '../findings/explain/explainChain.ts';
import { explainVoids } from '../findings/explain/explainVoids.ts';
import { isVoid } from '../findings/explain/isVoid.ts';
import { listOf } from '../findings/explain/listOf.ts';
import { type ServiceIndex, serviceIndex } from '../findings/explain/serviceIndex.ts';
import type { Finding } from '../findings/finding.ts';
import { type Folded, foldFlushed } from '../findings/foldFlushed.ts';
import { foldJumps } from '../findings/foldJumps.ts';
import { withoutShared } from '../findings/withoutShared.ts';
import { isProxyService } from '../netfilter/ipvs/isProxyService.ts';
import { isServiceChain } from '../netfilter/proxyChains.ts';
import { byteChainsOf } from '../node/byteChains.ts';
import { chainsInOrder } from '../node/chainsInOrder.ts';
import type { ExpectedRules } from '../node/expectedRules.ts';
import { heaviestRules } from '../node/heaviestRules.ts';
import { ledTo } from '../node/ledTo.ts';
import type { NodeRules, RuleKind, RuleTable, ToolRules } from '../node/nodeRules.ts';
import { everyTool, nodeRulesOf } from '../node/ruleKinds.ts';
import { serviceOfPort } from '../node/serviceOfPort.ts';
import { sharersOf } from '../objects/services/sharedAddresses.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { expectedRules } from '../pipeline/expectedRules.ts';
import { detectedPodRange } from './detectedPodRange.ts';
import type { DiffOptions } from './diffOptions.ts';
import { servicesInFragment } from './servicesInFragment.ts';

/** What came of comparing the manifests, as one version of kube-proxy writes them, with a dump. */
export interface Compared {
  readonly findings: readonly Finding[];
  /** Differences that no finding explains. */
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
  readonly foreignRules: number;
  /** The dump's rules of families that are compared. */
  readonly families: readonly ToolRules[];
  readonly diffs: readonly ChainDiff[];
}

/** Compares and explains what should be on a node with what was dumped there. */
export function compareManifests(compiled: Compiled, dump: NodeRules, options: DiffOptions): Compared {
  const notes: string[] = [...dump.notes];
  const sides = chooseSides(compiled, dump, options, notes);
  const {
    chains: diffs,
    renamed,
    notes: others,
    foreignRules,
  } = compareRules(sides, options, compiled.model.config.ipvs.excludeCIDRs);
  pushAll(notes, others);
  if (renamed.length > 0) {
    notes.push(
      `${count(renamed.length, 'chain')} with other names than this version gives, matched by what the rules do`,
    );
  }
  const indexes = new Map(
    diffs.length === 0 ? [] : compiled.plans.map((plan) => [plan.family, serviceIndex(plan)] as const),
  );
  const explained = explainDiffs(diffs, indexes);
  const findings = [...explained.findings];
  const differing = new Set(diffs.map(({ table, chain }) => `${table} ${chain}`));
  const covering = coveringOf(findings);
  for (const { finding, about, isForDumpsAlone } of dumpChecks(dump, checkScope(dump, sides, diffs))) {
    if (isForDumpsAlone) continue;
    const isEqual = about !== '' && !differing.has(about) && isOnBothSides(about, sides);
    // What is said of many Services together takes their place.
    if (isEqual || (finding.services === undefined && covering.isCovered(finding))) continue;
    covering.add(finding);
    findings.push(finding);
  }
  pushAll(findings, explainVoids(diffs.filter(isVoid), findings, indexes));
  for (const finding of manifestChecks(compiled, dump, options)) {
    if (isInFragment(finding, sides.found) && !addsToMissingTable(finding, findings)) findings.push(finding);
  }
  if (diffs.length > 0) detectedPodRange(compiled, sides.found, notes);
  const changes = [...(options.level === 'roles' ? [] : renamed.slice(0, mostRenamed)), ...explained.changes];
  const meant = withoutShared(findings, sharersOf(compiled.model.servicePorts));
  const folded = foldFlushedTables({ findings: foldJumps(meant), changes }, compiled, sides.found);
  return { ...folded, notes, foreignRules, families: sides.found, diffs };
}

const mostRenamed = 20;

function foldFlushedTables(all: Folded, { plans }: Compiled, found: readonly ToolRules[]): Folded {
  let folded = all;
  for (const { family, tables } of found) {
    const plan = plans.find((one) => one.family === family);
    for (const table of plan ? tables.values() : [])
      folded = foldFlushed(folded, table, plan as Compiled['plans'][number]);
  }
  return folded;
}

/** What is compared with what. */
interface Sides {
  readonly expected: ExpectedRules;
  /** The dump's rules of families that are compared. */
  readonly found: readonly ToolRules[];
  /** Of each kind and family one: a second back end's dump is only checked. */
  readonly main: readonly ToolRules[];
}

function chooseSides(compiled: Compiled, dump: NodeRules, options: DiffOptions, notes: string[]): Sides {
  const all = everyTool(dump);
  const counted = all.filter(isCounted);
  const found = all.filter(
    (rules) => !counted.includes(rules) && compiled.plans.some(({ family }) => family === rules.family),
  );
  const main = heaviestRules(found);
  const expected = expectedRules(compiled, { hasNfacct: options.hasNfacct }, nodeRulesOf(dump.name, main));
  for (const rules of all) {
    if (counted.includes(rules))
      notes.push(
        `${rules.files.join(', ')}: ipvsadm with counters shows neither schedulers nor weights: give ipvsadm -Sn`,
      );
    else if (!found.includes(rules)) notes.push(`rules of ${rules.family} (${rules.files.join(', ')}) were left out`);
  }
  for (const { kind, family } of everyTool(expected.rules)) {
    const program = printers[kind];
    if (program === undefined || found.some((rules) => rules.kind === kind)) continue;
    const note = `what ${program} prints was not given: it is not compared`;
    if (found.some((rules) => rules.family === family) && !notes.includes(note)) notes.push(note);
  }
  return { expected, found, main };
}

/** Virtual servers as `ipvsadm --stats` shows them. */
function isCounted({ kind, tables }: ToolRules): boolean {
  if (kind !== 'ipvs') return false;
  const chains = [...tables.values()].flatMap((table) => [...table.chains.values()]);
  return chains.some(({ content }) => content?.kind === 'virtualServer' && content.service.isCounted === true);
}

/** What shows the parts of IPVS mode that rules do not. */
const printers: Readonly<Partial<Record<RuleKind, string>>> = {
  ipset: 'ipset save',
  ipvs: 'ipvsadm -Sn',
  addresses: 'ip addr show kube-ipvs0',
};

function compareRules({ expected, main }: Sides, { level }: DiffOptions, excluded: readonly string[]) {
  const chains: ChainDiff[] = [];
  const renamed: RuleChange[] = [];
  const notes: string[] = [];
  let foreignRules = 0;
  const should = everyTool(expected.rules);
  for (const found of main) {
    const twin = should.find(({ kind, family }) => kind === found.kind && family === found.family);
    if (twin === undefined) continue;
    const result = compareByRole(twin, found, { level, hasForeign: false, equal: expected.equal });
    if (found.kind === 'ipvs') pushAll(notes, foreignServers(twin, found));
    const leftAlone: string[] = [];
    for (const chain of result.chains) {
      if (isWithoutEffect(chain)) continue;
      if (isExcluded(chain, excluded)) leftAlone.push(chain.chain);
      else chains.push(chain);
    }
    if (leftAlone.length > 0) {
      const names = listOf(leftAlone);
      notes.push(`virtual servers that kube-proxy leaves alone, by ipvs.excludeCIDRs, are not compared (${names})`);
    }
    for (const change of result.renamed) renamed.push(change);
    foreignRules += result.foreignRules;
  }
  return { chains, renamed, notes, foreignRules };
}

/** What kube-proxy's nftables mode empties with one sync it deletes with a later one. */
function isWithoutEffect({ expected, found, foundSet, table }: ChainDiff): boolean {
  const own = foundSet.kind === 'nftables' && expected === undefined ? foundSet.tables.get(table) : undefined;
  return own !== undefined && found !== undefined && own.isWhole && ledTo(own)?.has(found.name) === false;
}

/** A virtual server that no Service has, in networks that kube-proxy leaves to others. */
function isExcluded({ expected, found }: ChainDiff, networks: readonly string[]): boolean {
  const content = expected === undefined ? found?.content : undefined;
  if (content?.kind !== 'virtualServer' || content.service.address.kind !== 'address') return false;
  const { ip } = content.service.address;
  return networks.some((network) => cidrContains(network, ip));
}

/** Virtual servers of another program, as keepalived, that share the table of all with kube-proxy's. */
function foreignServers(expected: ToolRules, { tables }: ToolRules): readonly string[] {
  const own = expected.tables.get('ipvs')?.chains;
  const foreign = [...(tables.get('ipvs')?.chains.values() ?? [])].filter(
    ({ name, content }) => content?.kind === 'virtualServer' && !own?.has(name) && !isProxyService(content.service),
  );
  if (foreign.length === 0) return [];
  const names = listOf(foreign.map(({ name }) => name));
  return [
    `virtual servers of another program are not compared (${names}): kube-proxy removes those with an address that ipvs.excludeCIDRs does not hold`,
  ];
}

function explainDiffs(diffs: readonly ChainDiff[], indexes: ReadonlyMap<string, ServiceIndex>) {
  const findings: Finding[] = [];
  const changes: RuleChange[] = [];
  for (const diff of diffs) {
    if (isVoid(diff)) continue;
    const explained = explainChain(diff, indexes.get(diff.foundSet.family) as ServiceIndex);
    for (const finding of explained.findings) findings.push(finding);
    for (const change of explained.changes) changes.push(change);
  }
  return { findings, changes };
}

/** Checks of the dump leave out chains that are as expected, which is most of the work on a large node. */
function checkScope(dump: NodeRules, sides: Sides, diffs: readonly ChainDiff[]): CheckScope {
  const isUnexpected = (diff: ChainDiff) => diff.expected === undefined && isVoid(diff);
  // Of so many chains of Services that no manifest has, what is wrong inside of each is no news.
  const skipsUnexpected = diffs.length > mostUnexpected && diffs.filter(isUnexpected).length > mostUnexpected;
  const differing = new Map<string, Set<string>>();
  for (const diff of diffs) {
    const own = differing.get(diff.table) ?? new Set();
    differing.set(diff.table, own);
    if (!skipsUnexpected || !isUnexpected(diff)) own.add(diff.chain);
  }
  const isAllCompared = sides.main.length === everyTool(dump).length;
  const needsCheck: CheckScope['needsCheck'] = (table, chain, isAboutIt = false) => {
    if (!isAllCompared) return true;
    const own = differing.get(table);
    if (chain === undefined || own === undefined) return own !== undefined;
    if (own.has(chain)) return true;
    return !isServiceChain(chain) && !(isAboutIt && isOnBothSides(`${table} ${chain}`, sides));
  };
  const chainsOf = (table: RuleTable) => {
    const bytes = isAllCompared ? byteChainsOf(table) : undefined;
    if (bytes === undefined) return table.chains.values();
    const numbers = Array.from(differing.get(table.name) ?? [], bytes.find).filter((chain) => chain !== -1);
    return chainsInOrder(
      bytes,
      numbers.sort((one, other) => one - other),
    );
  };
  return { isAlone: false, needsCheck, chainsOf };
}

const mostUnexpected = 20_000;

/** `about` (`nat KUBE-POSTROUTING`) names a chain that both sides have. */
function isOnBothSides(about: string, { expected, found }: Sides): boolean {
  const [table = '', name = ''] = about.split(' ');
  const chainsIn = (all: readonly ToolRules[]) =>
    all.flatMap(({ kind, tables }) => (kind === 'iptables' ? (tables.get(table)?.chains.get(name) ?? []) : []));
  const dumped = chainsIn(found);
  return (
    dumped.some((chain) => expected.equal.has(chain)) ||
    (dumped.length > 0 && chainsIn(expected.rules.iptables).length > 0)
  );
}

/** K8N107: that a family was not dumped is said with the table that was not, as one thing to do. */
function addsToMissingTable({ id, seen }: Finding, findings: Finding[]): boolean {
  const at = findings.findIndex((other) => other.id === 'K8N107');
  const table = findings[at];
  if (id !== 'K8N107' || table === undefined) return false;
  findings[at] = { ...table, seen: `${table.seen}; ${seen}` };
  return true;
}

/** A fragment of a dump is about the Services that it names. */
function isInFragment({ service }: Finding, found: readonly ToolRules[]): boolean {
  if (service === undefined) return true;
  const named = servicesInFragment(found);
  return named === undefined || named.has(serviceOfPort(service));
}
