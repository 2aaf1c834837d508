import { cidrContains } from '../../common/addresses/cidr.ts';
import { pushAll } from '../../common/pushAll.ts';
import { count } from '../../common/text/count.ts';
import { compareByRole } from '../../compare/compareByRole.ts';
import type { ChainDiff } from '../../compare/compareSets.ts';
import { renamedChange } from '../../compare/renamedChain.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { UnseenRules } from '../../compare/unseenRules.ts';
import type { CheckScope } from '../../findings/checks/checkScope.ts';
import { dumpChecks } from '../../findings/checks/dumpChecks.ts';
import type { DumpFinding } from '../../findings/checks/dumpFinding.ts';
import { manifestChecks } from '../../findings/checks/manifestChecks.ts';
import { type ChainFinding, withoutConsequences } from '../../findings/explain/consequences.ts';
import { explainChain } from '../../findings/explain/explainChain.ts';
import { listOf } from '../../findings/explain/listOf.ts';
import { entranceOfServer, type ServiceIndex, serviceIndex } from '../../findings/explain/serviceIndex.ts';
import { explainVoids } from '../../findings/explain/voids/explainVoids.ts';
import { isVoid } from '../../findings/explain/voids/isVoid.ts';
import { comparisonSteps } from '../../findings/triage/comparisonSteps.ts';
import { type Triaged, triage } from '../../findings/triage/triage.ts';
import { isProxyService } from '../../netfilter/ipvs/isProxyService.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { type ChainKey, chainKeyText } from '../../node/chains/chainKey.ts';
import type { ExpectedRules } from '../../node/expectedRules.ts';
import { heaviestRules } from '../../node/heaviestRules.ts';
import { virtualServicesIn } from '../../node/ipvsRules.ts';
import { ledTo } from '../../node/ledTo.ts';
import type { NodeRules, RuleKind, ToolRules } from '../../node/nodeRules.ts';
import { everyTool, nodeRulesOf } from '../../node/ruleKinds.ts';
import { sharersOf } from '../../objects/services/sharedAddresses.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { expectedRules } from '../../pipeline/expected/expectedRules.ts';
import { areServersInPart, areServersLost, areSetsInPart } from '../../seen/ipvs/shownInPart.ts';
import { servicesInFragment } from '../../seen/names/servicesInFragment.ts';
import type { DiffOptions } from '../diffOptions.ts';
import { detectedPodRange } from '../settle/detectedPodRange.ts';
import { lastingDiffs } from './lastingDiffs.ts';
import { type RenamedChains, renamedServices } from './renamedServices.ts';
import { unseenByService } from './unseenByService.ts';

/** The result of comparing the manifests, as one version of kube-proxy writes them, with a dump. */
export interface Compared extends Triaged {
  readonly foreignRules: number;
  /** Rules that the dump may hold in lines that it lost, counted by Service. */
  readonly unseen: ReadonlyMap<string, number>;
  /** The dump's rules of families that are compared. */
  readonly families: readonly ToolRules[];
  readonly diffs: readonly ChainDiff[];
}

/** Compares what should be on a node with a dump of it, and explains the differences. */
export function compareManifests(compiled: Compiled, dump: NodeRules, options: DiffOptions): Compared {
  const notes: string[] = [...dump.notes];
  const sides = chooseSides(compiled, dump, options, notes);
  const {
    chains,
    renamed,
    notes: others,
    unseen: lost,
    foreignRules,
  } = compareRules(sides, options, compiled.model.config.ipvs.excludeCIDRs);
  const diffs = options.earlier === undefined ? chains : lastingDiffs(chains, options.earlier);
  pushAll(notes, others);
  const indexes = new Map(compiled.plans.map((plan) => [plan.family, serviceIndex(plan)] as const));
  const unseen = unseenByService(lost, (content) =>
    [...indexes.values()].map((index) => entranceOfServer(content, index)?.service.name).find((name) => name),
  );
  const names = renamedServices(renamed, indexes);
  if (names.others.length > 0) {
    notes.push(
      `${count(names.others.length, 'chain')} with other names than this version gives, matched by what the rules do`,
    );
  }
  const explained = explainDiffs(diffs, indexes);
  const otherNames = options.level === 'roles' ? [] : names.others.slice(0, mostRenamed).map(renamedChange);
  const changes = [...otherNames, ...explained.changes];
  const differing = new Set(diffs.map(chainKeyText));
  if (diffs.length > 0) detectedPodRange(compiled, sides.found, notes);
  const checked = dumpChecks(dump, checkScope(dump, sides, diffs));
  const triaged = triage(
    {
      findings: [...names.findings, ...explained.findings],
      changes,
      notes,
      notCompared: [...unseen.keys()].filter((name) => name !== ''),
    },
    comparisonSteps,
    {
      plans: compiled.plans,
      found: sides.found,
      checked,
      isAsExpected: (about) => !differing.has(chainKeyText(about)) && isOnBothSides(about, sides),
      voids: (findings) => explainVoids(diffs.filter(isVoid), findings, indexes, chainsOfJumps(checked)),
      ofObjects: manifestChecks(compiled, dump, options),
      named: servicesInFragment(sides.found),
      sharers: sharersOf(compiled.model.servicePorts),
    },
  );
  return { ...triaged, foreignRules, unseen, families: sides.found, diffs };
}

const mostRenamed = 20;

/** Missing or empty chains that a rule leads to (K8N205). */
function chainsOfJumps(checked: readonly DumpFinding[]): ReadonlySet<string> {
  return new Set(
    checked.flatMap(({ finding, about }) => (finding.code === 'K8N205' && about ? chainKeyText(about) : [])),
  );
}

/** The two sides of a comparison. */
interface Sides {
  readonly expected: ExpectedRules;
  /** The dump's rules of families that are compared. */
  readonly found: readonly ToolRules[];
  /** One for each kind and family: a second back end's dump is only checked. */
  readonly main: readonly ToolRules[];
}

function chooseSides(compiled: Compiled, dump: NodeRules, options: DiffOptions, notes: string[]): Sides {
  const all = everyTool(dump);
  const counted = all.filter(isCounted);
  const found = all.filter(
    (rules) => !counted.includes(rules) && compiled.plans.some(({ family }) => family === rules.family),
  );
  const main = heaviestRules(found);
  const expected = expectedRules(
    compiled,
    { hasNfacct: options.hasNfacct },
    {
      found: nodeRulesOf(dump.name, main),
      search: options.search,
    },
  );
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
function isCounted(rules: ToolRules): boolean {
  return rules.kind === 'ipvs' && virtualServicesIn([rules]).some((service) => service.isCounted === true);
}

/** Dumps that show the parts of IPVS mode outside the rules. */
const printers: Readonly<Partial<Record<RuleKind, string>>> = {
  ipset: 'ipset save',
  ipvs: 'ipvsadm -Sn',
  addresses: 'ip addr show kube-ipvs0',
};

function compareRules({ expected, main }: Sides, { level }: DiffOptions, excluded: readonly string[]) {
  const chains: ChainDiff[] = [];
  const renamed: RenamedChains[] = [];
  const notes: string[] = [];
  const unseen: UnseenRules[] = [];
  let foreignRules = 0;
  const should = everyTool(expected.rules);
  for (const found of main) {
    const twin = should.find(({ kind, family }) => kind === found.kind && family === found.family);
    if (twin === undefined) continue;
    const result = compareByRole(twin, found, { level, hasForeign: false, equal: expected.equal });
    if (found.kind === 'ipvs') pushAll(notes, foreignServers(twin, found));
    const leftAlone: string[] = [];
    const part = partNote(twin, found);
    if (part !== undefined && (result.unseen.length > 0 || result.chains.some(isNotFound))) notes.push(part);
    for (const chain of result.chains) {
      if (isWithoutEffect(chain) || (part !== undefined && isNotFound(chain))) continue;
      if (isExcluded(chain, excluded)) leftAlone.push(chain.chain);
      else chains.push(chain);
    }
    if (leftAlone.length > 0) {
      const names = listOf(leftAlone);
      notes.push(`virtual servers that kube-proxy leaves alone, by ipvs.excludeCIDRs, are not compared (${names})`);
    }
    if (result.renamed.length > 0) renamed.push({ family: found.family, chains: result.renamed });
    foreignRules += result.foreignRules;
    pushAll(unseen, result.unseen);
  }
  return { chains, renamed, notes, unseen, foreignRules };
}

/** What the dump shows in part only, in a sentence; undefined: it shows all of it. */
function partNote(expected: ToolRules, found: ToolRules): string | undefined {
  if (areSetsInPart(found))
    return "some of kube-proxy's sets are shown, and the others are not compared: `ipset save` prints all";
  if (found.kind !== 'ipvs') return undefined;
  if (areServersLost([found]))
    return 'lines of what ipvsadm printed could not be read: what is missing is not compared';
  if (!areServersInPart([found], virtualServicesIn([expected]).length)) return undefined;
  return 'virtual servers of one address or port are shown, and the others are not compared: `ipvsadm -Sn` prints all';
}

function isNotFound({ found }: ChainDiff): boolean {
  return found === undefined;
}

/** What nftables mode empties in one sync, it deletes in a later one. */
function isWithoutEffect({ expected, found, foundSet, table }: ChainDiff): boolean {
  const own = foundSet.kind === 'nftables' && expected === undefined ? foundSet.tables.get(table) : undefined;
  return own !== undefined && found !== undefined && own.isWhole && ledTo(own)?.has(found.name) === false;
}

/** A virtual server without a Service, in networks that kube-proxy leaves to others. */
function isExcluded({ expected, found }: ChainDiff, networks: readonly string[]): boolean {
  const content = expected === undefined ? found?.content : undefined;
  if (content?.kind !== 'virtualServer' || content.service.address.kind !== 'address') return false;
  const { ip } = content.service.address;
  return networks.some((network) => cidrContains(network, ip));
}

/** Virtual servers of another program, such as keepalived, which share the kernel's table with kube-proxy's. */
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
  const findings: ChainFinding[] = [];
  const changes: RuleChange[] = [];
  for (const diff of diffs) {
    if (isVoid(diff)) continue;
    const explained = explainChain(diff, indexes.get(diff.foundSet.family) as ServiceIndex);
    for (const finding of explained.findings) findings.push(finding);
    for (const change of explained.changes) changes.push(change);
  }
  return { findings: withoutConsequences(findings), changes };
}

/** Checks of the dump skip chains that are as expected, which is most of the work on a large node. */
function checkScope(dump: NodeRules, sides: Sides, diffs: readonly ChainDiff[]): CheckScope {
  const isUnexpected = (diff: ChainDiff) => diff.expected === undefined && isVoid(diff);
  // If this many chains belong to no Service in the manifests, problems inside each of them are not news.
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
    return !isServiceChain(chain) && !(isAboutIt && isOnBothSides({ table, chain }, sides));
  };
  const chosen: CheckScope['chosen'] = (table) =>
    isAllCompared ? { names: () => differing.get(table) ?? [] } : undefined;
  return { isAlone: false, needsCheck, chosen };
}

const mostUnexpected = 20_000;

/** Both sides have the chain, which must be an iptables chain. */
function isOnBothSides({ table, chain: name }: ChainKey, { expected, found }: Sides): boolean {
  const chainsIn = (all: readonly ToolRules[]) =>
    all.flatMap(({ kind, tables }) => (kind === 'iptables' ? (tables.get(table)?.chains.get(name) ?? []) : []));
  const dumped = chainsIn(found);
  return (
    dumped.some((chain) => expected.equal.has(chain)) ||
    (dumped.length > 0 && chainsIn(expected.rules.iptables).length > 0)
  );
}
