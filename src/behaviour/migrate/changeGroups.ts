import { formatKubeVersion } from '../../dialect/version.ts';
import { type ModeChange, type ModeChangeCode, modeChanges } from '../../problems/catalogue/modeChanges.ts';
import { isLoopback } from '../../walk/ways.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import { differenceKind } from '../differenceKind.ts';
import type { SenderKind } from '../packets/senderKinds.ts';
import { type Change, changeKinds } from './changeKinds.ts';
import type { ProxyKind } from './proxyKind.ts';
import type { ServiceTraits } from './serviceTraits.ts';

/** Changes of one kind with the same outcomes before and after: reported together. */
export interface ChangeGroup {
  /** Its known kind; undefined: none. */
  readonly kind: ModeChangeCode | undefined;
  readonly title: string;
  /** `answered`, `refused`, … */
  readonly before: string;
  readonly after: string;
  /** A sender gets an answer that was kept out before. */
  readonly isNewlyOpen: boolean;
  /** What the modes do, and what to do about it. */
  readonly says: readonly string[];
  readonly advice: string | undefined;
  readonly services: readonly string[];
  readonly entrances: readonly SenderKind[];
  readonly findings: readonly BehaviourFinding[];
}

/** Groups differences by their nature, the gravest first: what is newly open, then what is no longer answered. */
export function changeGroups(
  findings: readonly BehaviourFinding[],
  from: ProxyKind,
  to: ProxyKind,
  traits: ReadonlyMap<string, ServiceTraits>,
): readonly ChangeGroup[] {
  const groups = new Map<string, BehaviourFinding[]>();
  const made = new Map<string, Omit<ChangeGroup, 'findings' | 'services' | 'entrances'>>();
  const isSameMode = from.mode === to.mode;
  const isSameVersion = formatKubeVersion(from.version) === formatKubeVersion(to.version);
  for (const finding of findings) {
    const { where, a, b } = differenceKind(finding);
    const change: Change = {
      finding,
      from: from.mode,
      to: to.mode,
      before: a,
      after: b,
      isLoopback: isLoopback(finding.destination.address),
      traits: traits.get(finding.name.service ?? ''),
    };
    // Known differences of modes say nothing about two versions of one mode.
    const kind = isSameMode ? undefined : changeKinds.find((one) => one.is(change));
    const entry: ModeChange | undefined = kind && modeChanges[kind.code];
    const key = `${kind?.code ?? where}: ${a} -> ${b}`;
    const known = groups.get(key);
    if (known !== undefined) {
      known.push(finding);
      continue;
    }
    groups.set(key, [finding]);
    made.set(key, {
      kind: kind?.code,
      title: entry?.title ?? where,
      before: a,
      after: b,
      isNewlyOpen: (a === 'dropped' || a === 'refused') && b.includes('answered'),
      says:
        entry === undefined
          ? isSameMode
            ? []
            : [isSameVersion ? unknownKind : unknownOfVersions]
          : saysOf(entry.says, from.mode, to.mode),
      advice: kind?.advice?.(change),
    });
  }
  const all = [...groups].map(([key, own]): ChangeGroup => {
    const group = made.get(key) as Omit<ChangeGroup, 'findings' | 'services' | 'entrances'>;
    return {
      ...group,
      findings: own,
      services: [...new Set(own.flatMap(({ name }) => name.service ?? []))].sort(),
      entrances: [...new Set(own.map(({ entrance }) => entrance))],
    };
  });
  return all.sort((one, other) => weightOf(other) - weightOf(one) || other.findings.length - one.findings.length);
}

const unknownKind = 'Not a known difference between these modes: look at the packets.';
const unknownOfVersions =
  'Not a known difference between these modes. The version changes too: k8snet versions --between lists what each version changed.';

function saysOf(says: Readonly<Partial<Record<string, string>>>, from: string, to: string): readonly string[] {
  return [says.any, says[from], says[to]].flatMap((sentence) => sentence ?? []);
}

/** New access comes first, then clients that lose their answer, then others. */
export function weightOf({
  before,
  after,
  isNewlyOpen,
}: Pick<ChangeGroup, 'before' | 'after' | 'isNewlyOpen'>): number {
  if (isNewlyOpen) return 4;
  if (before.includes('answered') && !isAnswered(after)) return 3;
  if (isAnswered(before) && isAnswered(after)) return 2;
  return isAnswered(after) ? 1 : 0;
}

/** The words of an outcome, or the difference between two answers. */
function isAnswered(words: string): boolean {
  return /answered|endpoints|shares|masqueraded|source|affinity/.test(words);
}
