import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../dialectOf.ts';
import { modeTable } from '../modeTable.ts';
import type { KubeVersion } from '../version.ts';
import { versionRows } from '../versionRows.ts';
import type { AxisSentences } from './axisSentences.ts';
import { iptablesSentences } from './iptablesSentences.ts';
import { ipvsSentences } from './ipvsSentences.ts';
import { nftablesSentences } from './nftablesSentences.ts';
import { planSentences } from './planSentences.ts';
import { userspaceSentences } from './userspaceSentences.ts';

/** One thing that two versions of kube-proxy do otherwise, in sentences. */
export interface VersionChange {
  /** It changes what happens to packets or on the node; otherwise it only changes how rules are written. */
  readonly isBehaviour: boolean;
  readonly after: string;
  /** Undefined: `after` says it all. */
  readonly before?: string;
  /** The version that brought it. */
  readonly since: KubeVersion;
}

/** What differs between an older and a newer version in a mode, whatever lies between them: behavior first. */
export function versionChanges(mode: ProxyMode, before: KubeVersion, after: KubeVersion): readonly VersionChange[] {
  const steps = [before, ...versionsBetween(mode, before, after), after].map((version, at, all) => {
    // Rows of a whole minor version count from its first patch on.
    const isRow = at > 0 && at < all.length - 1;
    const { plan, spelling } = dialectOf(mode, isRow ? { ...version, patch: version.patch ?? 0 } : version);
    return { version, plan: valuesOf(plan), spelling: valuesOf(spelling) };
  });
  const changes = (['plan', 'spelling'] as const).flatMap((part) =>
    changesOf(
      mode,
      steps.map((step) => ({ version: step.version, values: step[part] })),
      (part === 'plan' ? planSentencesOf(mode) : modeSentences[mode]) as Values<AnySentences>,
    ),
  );
  return [...changes.filter(({ isBehaviour }) => isBehaviour), ...changes.filter(({ isBehaviour }) => !isBehaviour)];
}

/** Versions that changed something, from the older one on, up to the newer one. */
function versionsBetween(mode: ProxyMode, before: KubeVersion, after: KubeVersion): readonly KubeVersion[] {
  const bare = modeTable(mode).bareMinor === 'newestPatch' ? Number.POSITIVE_INFINITY : 0;
  const isAfter = (a: KubeVersion, b: KubeVersion) =>
    a.minor > b.minor || (a.minor === b.minor && (a.patch ?? 0) > (b.patch ?? bare));
  return versionRows(mode)
    .map(({ version }) => version)
    .filter((version) => isAfter(version, before) && !isAfter(version, after));
}

/** Of the decisions those that the mode depends on. */
function planSentencesOf(mode: ProxyMode): Partial<typeof planSentences> {
  const { planAxes } = modeTable(mode);
  if (planAxes === undefined) return planSentences;
  return Object.fromEntries(planAxes.map((axis) => [axis, planSentences[axis]]));
}

function valuesOf(dialect: object): Values<unknown> {
  return { ...dialect };
}

type Values<T> = Readonly<Record<string, T>>;

type AnySentences = Pick<AxisSentences<never>, 'isBehaviour' | 'modes'> & {
  readonly says: Values<string> | ((after: unknown, before: unknown) => string);
};

const modeSentences = {
  iptables: iptablesSentences,
  ipvs: ipvsSentences,
  nftables: nftablesSentences,
  userspace: userspaceSentences,
};

interface VersionStep {
  readonly version: KubeVersion;
  readonly values: Values<unknown>;
}

function changesOf(
  mode: ProxyMode,
  steps: readonly VersionStep[],
  sentences: Values<AnySentences>,
): readonly VersionChange[] {
  const changes: VersionChange[] = [];
  for (const [axis, { isBehaviour, modes, says }] of Object.entries(sentences)) {
    const texts = steps.map(({ values }) => JSON.stringify(values[axis]));
    if (modes?.includes(mode) === false || texts[0] === texts.at(-1)) continue;
    const [from, to] = [steps[0]?.values[axis], steps.at(-1)?.values[axis]];
    const last = texts.findLastIndex((text, at) => at > 0 && text !== texts[at - 1]);
    const since = (steps[last] as VersionStep).version;
    const sentence = (value: unknown) => (says as Values<string>)[String(value)] as string;
    changes.push(
      typeof says === 'function'
        ? { isBehaviour, after: says(to, from), since }
        : { isBehaviour, after: sentence(to), before: sentence(from), since },
    );
  }
  return changes;
}
