import { dialectOf } from '../dialect/dialectOf.ts';
import { formatKubeVersion, type KubeVersion } from '../dialect/version.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { createPlan } from '../plan/createPlan.ts';
import { type Compared, compareManifests } from './compareManifests.ts';
import type { DiffOptions } from './diffOptions.ts';
import { changeOf, itemsOf } from './explain/items.ts';
import type { RuleChange } from './finding.ts';
import type { NodeDump } from './nodeRules.ts';
import { count } from './report/summaryLine.ts';

/**
 * The comparison with the `version` that wrote the dump, where it differs from that in few rules: its findings, and all
 * that differs for the version that was asked as plain changes, since the dump is still not what was asked for. A note
 * says how many these are. Undefined: the version is not what makes the difference.
 */
export function asWritten(
  compiled: Compiled,
  dump: NodeDump,
  options: DiffOptions,
  asked: Compared,
  version: KubeVersion,
): Compared | undefined {
  // Changes of other Services are not shown, and then nothing would be left of what was asked.
  if (options.service !== undefined) return undefined;
  const dialect = dialectOf(version);
  const plans = compiled.plans.map(({ family }) => createPlan(compiled.model, family, dialect));
  const written = compareManifests({ ...compiled, dialect, kubeVersion: version, plans }, dump, options);
  const all = changesOf(asked);
  const own = changesOf(written);
  if (own.length * 2 > all.length) return undefined;
  const known = new Set(own.map(keyOf));
  const only = all.filter((change) => !known.has(keyOf(change)));
  const names = new Set(written.diffs.map(({ table, chain }) => `${table} ${chain}`));
  const [one, other] = [formatKubeVersion(compiled.kubeVersion), formatKubeVersion(version)];
  return {
    ...written,
    changes: [...written.changes, ...only],
    notes: [
      `${count(only.length, 'rule')} ${only.length === 1 ? 'differs' : 'differ'} only because kube-proxy ${other}, which summary and findings compare with, writes others than ${one} (K8N109)`,
      ...written.notes,
    ],
    diffs: [...written.diffs, ...asked.diffs.filter(({ table, chain }) => !names.has(`${table} ${chain}`))],
  };
}

/** Every rule that differs, whether a finding explains it or not, and chains with other names. */
function changesOf({ diffs, changes }: Compared): readonly RuleChange[] {
  const rules = diffs.flatMap((diff) => itemsOf(diff).map((item) => changeOf(diff, item)));
  const known = new Set(rules.map(keyOf));
  return [...rules, ...changes.filter((change) => !known.has(keyOf(change)))];
}

function keyOf({ table, chain, expected, found, place }: RuleChange): string {
  return JSON.stringify([table, chain, expected, found, place?.line]);
}
