import { pushAll } from '../common/pushAll.ts';
import { count } from '../common/text/count.ts';
import { compareByRole } from '../compare/compareByRole.ts';
import type { ChainDiff } from '../compare/compareSets.ts';
import type { CompareLevel } from '../compare/diffChain.ts';
import { renamedChange } from '../compare/renamedChain.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import type { UnseenRules } from '../compare/unseenRules.ts';
import { cutChecks } from '../findings/checks/chains/cutChecks.ts';
import { foreignChecks } from '../findings/checks/foreign/foreignChecks.ts';
import { changeOf, policyChange } from '../findings/explain/explainWith.ts';
import { portOfDifference } from '../findings/explain/portOfDifference.ts';
import { ruleDifferences } from '../findings/explain/ruleDifferences.ts';
import type { Finding } from '../findings/finding.ts';
import { isProxyChain } from '../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { foreignOwner } from '../node/programs/foreignPrograms.ts';
import { everyTool } from '../node/ruleKinds.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { nftServiceName } from '../seen/names/nftServiceName.ts';
import { serviceOfPort } from '../seen/names/serviceOfPort.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { countUnseen, unseenByService } from './compare/unseenByService.ts';

export interface DumpDiffOptions {
  readonly level: CompareLevel;
  /** Compares chains of other programs too; undefined: those of kube-proxy and of unknown origin. */
  readonly hasForeign: boolean;
  readonly service?: string | undefined;
}

/** Two dumps of one kind: what only the second has, and what only the first has. */
export function diffDumps(before: NodeRules, after: NodeRules, options: DumpDiffOptions): DiffReport {
  const notes = [...before.notes, ...after.notes];
  const diffs: ChainDiff[] = [];
  const changes: RuleChange[] = [];
  const unseen: UnseenRules[] = [];
  for (const [one, other] of pairs(before, after, notes)) {
    const roles = compareByRole(one, other, { level: options.level, hasForeign: true });
    if (roles.renamed.length > 0) {
      notes.push(`${count(roles.renamed.length, 'chain')} with other names, matched by what the rules do`);
      if (options.level !== 'roles') pushAll(changes, roles.renamed.map(renamedChange));
    }
    pushAll(diffs, roles.chains);
    pushAll(unseen, roles.unseen);
  }
  if (areOfOtherTools(before, after)) {
    notes.push(
      `no rules to compare with each other: \`k8snet diff --compare behaviour\` compares what they do with packets`,
    );
  }
  let foreignRules = 0;
  const changed = new Set<string>();
  for (const diff of diffs) {
    const isForeign =
      diff.foundSet.kind === 'iptables' && foreignOwner(diff.chain) !== undefined && !isProxyChain(diff.chain);
    if (isForeign && !options.hasForeign) {
      foreignRules += diff.missing.length + diff.extra.length + diff.moved.length;
      continue;
    }
    // What belongs to no Service in particular.
    if (options.service === undefined) pushAll(changes, [...declarationChange(diff), ...policyChange(diff)]);
    for (const item of ruleDifferences(diff)) {
      const port = portOfDifference(item, diff) || nftServiceName(diff.chain);
      const service = port && serviceOfPort(port);
      if (options.service !== undefined && service !== options.service) continue;
      if (service !== undefined) changed.add(service);
      changes.push(changeOf(diff, item));
    }
  }
  const byService = unseenByService(unseen);
  const notShown = countUnseen(byService, options.service);
  return {
    kind: 'diffReport',
    comparison: 'dumps',
    expectedName: before.name,
    foundName: after.name,
    summary: {
      ...countServices(before, after, { changed, lost: byService, only: options.service }),
      staleChains: 0,
      foreignRules,
      ...(notShown > 0 && { notShown }),
    },
    findings: [...(unseen.length > 0 ? cutTables(before, after) : []), ...rulesInFront(before, after)],
    changes,
    chains: diffs,
    unread: [...before.unread, ...after.unread],
    notes,
  };
}

/** K8N110: why rules are not shown. */
function cutTables(before: NodeRules, after: NodeRules): readonly Finding[] {
  return [before, after].flatMap((dump) => cutChecks(dump).map(({ finding }) => finding));
}

/** K8N606 only in the second dump: rules of other programs that moved in front of kube-proxy's. */
function rulesInFront(before: NodeRules, after: NodeRules): readonly Finding[] {
  const inFront = ({ iptables }: NodeRules) =>
    iptables.flatMap((set) => foreignChecks(set).flatMap(({ finding }) => (finding.code === 'K8N606' ? finding : [])));
  const known = new Set(inFront(before).map(({ what }) => what));
  return inFront(after).filter(({ what }) => !known.has(what));
}

interface Compared {
  readonly changed: ReadonlySet<string>;
  /** Services with rules in lines that a dump lost. */
  readonly lost: ReadonlyMap<string, number>;
  readonly only: string | undefined;
}

/** Services of the first dump, and those that only the second has. */
function countServices(before: NodeRules, after: NodeRules, { changed, lost, only }: Compared) {
  const isAsked = (name: string) => only === undefined || name === only;
  const [then, now] = [proxySeen(before).names, proxySeen(after).names];
  const services = new Set([...then, ...[...changed].filter((name) => !now.has(name))].filter(isAsked));
  const isLost = (name: string) => lost.has(name) && !changed.has(name);
  const notCompared = [...services].filter(isLost).length;
  const missing = [...services].filter((name) => !now.has(name) && then.has(name) && !isLost(name)).length;
  const differ = [...changed].filter((name) => services.has(name) && (now.has(name) || !then.has(name))).length;
  const extra = [...now].filter((name) => isAsked(name) && !then.has(name) && !isLost(name)).length;
  const same = services.size - missing - differ - notCompared;
  return { services: services.size, same, missing, differ, ...(notCompared > 0 && { notCompared }), extra };
}

/** A chain that appeared or disappeared without any rule. */
function declarationChange({ table, chain, expected, found, missing, extra }: ChainDiff): readonly RuleChange[] {
  if (missing.length + extra.length > 0 || (expected && found)) return [];
  const text = `:${chain} ${expected?.policy ?? found?.policy ?? '-'}`;
  if (found === undefined) return [{ table, chain, expected: text }];
  return [{ table, chain, found: text, place: { file: found.file, line: found.declaredAt } }];
}

/** For example a node in iptables mode and one in nftables mode. */
function areOfOtherTools(before: NodeRules, after: NodeRules): boolean {
  const [own, other] = [everyTool(before), everyTool(after)].map((sets) => new Set([...sets].map(({ kind }) => kind)));
  if (own === undefined || other === undefined || own.size === 0 || other.size === 0) return false;
  return [...own].every((kind) => !other.has(kind));
}

function* pairs(before: NodeRules, after: NodeRules, notes: string[]): Iterable<readonly [ToolRules, ToolRules]> {
  const rest = new Set(everyTool(after));
  for (const set of everyTool(before)) {
    const twins = [...rest].filter(({ kind, family }) => kind === set.kind && family === set.family);
    const twin = twins.find(({ backend }) => backend === set.backend) ?? twins[0];
    if (twin === undefined) {
      notes.push(`only the first side holds ${set.kind} rules of ${set.family}`);
      yield [set, { ...set, tables: new Map(), files: [] }];
      continue;
    }
    rest.delete(twin);
    yield [set, twin];
  }
  for (const set of rest) {
    notes.push(`only the second side holds ${set.kind} rules of ${set.family}`);
    yield [{ ...set, tables: new Map(), files: [] }, set];
  }
}
