import type { Value } from '../../common/ranges/valueRange.ts';
import { compareKubeVersions } from '../../dialect/version.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import { behaviourSide } from '../behaviourSide.ts';
import { type BehaviourComparison, compareBehaviour, comparePair } from '../compareBehaviour.ts';
import { comparedPair } from '../comparedPair.ts';
import { type ChangeGroup, changeGroups } from '../migrate/changeGroups.ts';
import { isFurtherLoopback } from '../migrate/isFurtherLoopback.ts';
import { type MigrationSide, migrationNode, sideOfNode } from '../migrate/migrationSide.ts';
import type { ProxyKind } from '../migrate/proxyKind.ts';
import { serviceTraits } from '../migrate/serviceTraits.ts';
import type { Distribution } from '../outcome/distribution.ts';
import { withForeignRules } from '../withForeignRules.ts';
import type { Conversion } from './convertObjects.ts';
import { withAddresses } from './withAddresses.ts';

/** Compares what happens to packets under the rules of a dump and under the converted ones. */
export interface ConversionCheck {
  readonly from: ProxyKind;
  readonly to: ProxyKind;
  readonly comparison: BehaviourComparison;
  /** Differences between modes, or versions: a migration of the same Services has them too. */
  readonly known: readonly ChangeGroup[];
  /** Differences that exist only because of other programs' rules. */
  readonly besideOthers: readonly ChangeGroup[];
  /** Everything else: parts of the dump that were not converted. */
  readonly unexplained: readonly ChangeGroup[];
  /** Packets whose outcome is unknown, although it is known for a migration of the same Services. */
  readonly open: readonly BehaviourFinding[];
}

/**
 * Sends packets through the dump and through the converted rules, both together with the rules of other programs. A
 * difference is known if the Services as they were read back show it too, and, between modes of one version, if it is
 * of a kind that they are known for.
 */
export function checkConversion({ from, to }: Conversion, dump: NodeRules): ConversionCheck {
  const [before, after] = [kindOf(from), kindOf(to)];
  const own = migrationNode(from, dump);
  const planned = sideOfNode(withAddresses(own, from));
  const converted = sideOfNode(withAddresses(migrationNode(to, dump, own), from));
  const source = sideOfDump(dump, planned);
  const migration = comparedPair(planned.side, converted.side);
  const compared = comparePair(comparedPair(source, beside(converted, dump)), {}, { beside: migration });
  const migrated = comparePair(migration, {}, { addresses: walkedAddresses(compared) });
  const isSame = () => compareBehaviour(source, beside(planned, dump));
  const findings = compared.findings.filter(({ destination }) => !isFurtherLoopback(destination.address));
  const parts = sorted(findings, migrated.findings, () => isSame().findings);
  const openAnyway = findingSet(migrated.open);
  const traits = serviceTraits(from);
  const groupsOf = (own: readonly BehaviourFinding[]) => changeGroups(own, before, after, traits);
  const groups = groupsOf(parts.named);
  // Versions bring changes of every kind.
  const isSameVersion = compareKubeVersions(before.version, after.version) === 0;
  const isKnown = ({ kind }: ChangeGroup) => before.mode === after.mode || !isSameVersion || kind !== undefined;
  return {
    from: before,
    to: after,
    comparison: { ...compared, findings },
    known: groups.filter(isKnown),
    besideOthers: groupsOf(parts.besideOthers).map((group) => unnamed(group, becauseOfOthers)),
    unexplained: [
      ...groupsOf(parts.lost).map((group) => unnamed(group, notWritten)),
      ...groups.filter((group) => !isKnown(group)),
    ],
    open: compared.open.filter((one) => !openAnyway.has(one)),
  };
}

/**
 * Differences between a dump and its conversion: those that a migration has too; among the others, those at
 * destinations that were read back incorrectly; and the rest, which rules of other programs must cause.
 */
function sorted(
  findings: readonly BehaviourFinding[],
  migrated: readonly BehaviourFinding[],
  notReadBack: () => readonly BehaviourFinding[],
): Readonly<Record<'named' | 'lost' | 'besideOthers', readonly BehaviourFinding[]>> {
  const parts = {
    named: [] as BehaviourFinding[],
    lost: [] as BehaviourFinding[],
    besideOthers: [] as BehaviourFinding[],
  };
  const exactly = findingSet(migrated);
  const others = findings.filter((one) => !exactly.has(one));
  if (others.length === 0) return { ...parts, named: findings };
  const lost = new Set(notReadBack().map(destinationOf));
  // The representative of many senders may differ between two comparisons.
  const anySender = findingSet(migrated, outcomesOf);
  for (const finding of findings) {
    if (exactly.has(finding)) parts.named.push(finding);
    else if (lost.has(destinationOf(finding))) parts.lost.push(finding);
    else if (anySender.has(finding)) parts.named.push(finding);
    else parts.besideOthers.push(finding);
  }
  return parts;
}

function kindOf({ model, kubeVersion }: Compiled): ProxyKind {
  return { mode: model.config.mode, version: kubeVersion };
}

function beside({ side, objects }: MigrationSide, dump: NodeRules): ReturnType<typeof behaviourSide> {
  return behaviourSide(side.name, withForeignRules(side.node, dump), objects);
}

/** The rules as dumped; if nothing shows the network, that of the Services in them. */
function sideOfDump(dump: NodeRules, { side, objects }: MigrationSide): ReturnType<typeof behaviourSide> {
  // The dump decides which addresses kube-ipvs0 has.
  const own = (network: NetworkFacts): NetworkFacts =>
    dump.addresses.length === 0
      ? network
      : { ...network, interfaces: network.interfaces.filter(({ name }) => name !== ipvsDevice) };
  const node = { ...dump, network: own(side.node.network) };
  return behaviourSide(dump.name, node, { ...objects, network: own(objects.network) });
}

/** Known differences of modes do not explain this one, even if it looks the same. */
function unnamed(group: ChangeGroup, why: string): ChangeGroup {
  return { ...group, kind: undefined, says: [why], advice: undefined };
}

const becauseOfOthers =
  "kube-proxy's rules alone do not differ so: rules of other programs on the node treat packets otherwise when they are translated by the other mode.";
const notWritten =
  'For the Services that were read back kube-proxy writes rules that do something else than the dump does: the dump was edited, lacks something, or shows something that is not read.';

/** What was walked for all of a shape is compared for all of it: migrations are walked there alone. */
function walkedFor(finding: BehaviourFinding): BehaviourFinding {
  return finding.like ?? finding;
}

function walkedAddresses({ findings, open }: BehaviourComparison): ReadonlySet<Value> {
  return new Set([...findings, ...open].map((one) => walkedFor(one).destination.address));
}

/** Findings of a comparison, to be found by those of another. */
interface FindingSet {
  readonly has: (finding: BehaviourFinding) => boolean;
}

function findingSet(
  findings: readonly BehaviourFinding[],
  keyOf: (finding: BehaviourFinding) => string = senderKey,
): FindingSet {
  const keys = new Set(findings.map(keyOf));
  const known = new Map<BehaviourFinding, boolean>();
  return {
    has: (finding) => {
      const walked = walkedFor(finding);
      const has = known.get(walked) ?? keys.has(keyOf(walked));
      known.set(walked, has);
      return has;
    },
  };
}

function senderKey(finding: BehaviourFinding): string {
  return `${finding.entrance} ${outcomesOf(finding)}`;
}

/** What is sent where, and the outcome on both sides. */
function outcomesOf(finding: BehaviourFinding): string {
  return `${destinationOf(finding)} ${distributionKey(finding.a)} ${distributionKey(finding.b)}`;
}

function destinationOf({ destination, packet }: BehaviourFinding): string {
  return [destination.address, destination.use, packet.destinationPort, packet.protocol].join(' ');
}

function distributionKey({ outcomes, isOpen }: Distribution): string {
  const all = [...outcomes].map(([key, { share, outcome }]) => `${key} ${share.toFixed(4)} ${outcome.staysFor}`);
  return `${isOpen} ${all.sort().join(', ')}`;
}
