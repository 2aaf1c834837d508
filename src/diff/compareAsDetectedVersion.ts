import type { RuleChange } from '../compare/ruleChange.ts';
import { formatKubeVersion, type KubeVersion } from '../dialect/version.ts';
import { changeOf, ruleDifferences } from '../findings/explain/ruleDifferences.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { compileAs } from '../pipeline/compileAs.ts';
import { count } from '../report/summaryLine.ts';
import { type Compared, compareManifests } from './compareManifests.ts';
import type { DetectedVersion } from './detectedVersion.ts';
import type { DiffOptions } from './diffOptions.ts';

/**
 * The comparison with the version that wrote the dump, where it differs from that in few rules: its findings, and all
 * that differs for the version that was asked as plain changes, since the dump is still not what was asked for. A note
 * says how many these are. Of several versions that may have written it the most like it counts. Undefined: the version
 * is not what makes the difference.
 */
export function compareAsDetectedVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  asked: Compared,
  { versions, finding }: Extract<DetectedVersion, { kind: 'other' }>,
): Compared | undefined {
  // Changes of other Services are not shown, and then nothing would be left of what was asked.
  if (options.service !== undefined) return undefined;
  const all = changesOf(asked);
  const best = mostLike(compiled, dump, options, versions);
  if (best === undefined || best.own.length * 2 > all.length) return undefined;
  const { version, written, own } = best;
  const known = new Set(own.map(keyOf));
  const only = all.filter((change) => !known.has(keyOf(change)));
  const names = new Set(written.diffs.map(({ table, chain }) => `${table} ${chain}`));
  const [one, other] = [formatKubeVersion(compiled.kubeVersion), formatKubeVersion(version)];
  const fix = `Compare with \`--kube-version ${other}\`.`;
  return {
    ...written,
    findings: [{ ...finding, fix }, ...written.findings],
    changes: [...written.changes, ...only],
    notes: [
      `${count(only.length, 'rule')} ${only.length === 1 ? 'differs' : 'differ'} only because kube-proxy ${other}, which summary and findings compare with, writes others than ${one} (K8N109)`,
      ...written.notes,
    ],
    diffs: [...written.diffs, ...asked.diffs.filter(({ table, chain }) => !names.has(`${table} ${chain}`))],
  };
}

/** At most so many versions are compared with: a large dump takes a second for each. */
const mostTried = 8;

function mostLike(compiled: Compiled, dump: NodeRules, options: DiffOptions, versions: readonly KubeVersion[]) {
  let best: { version: KubeVersion; written: Compared; own: readonly RuleChange[] } | undefined;
  for (const version of versions.slice(0, mostTried)) {
    const written = compareManifests(compileAs(compiled, version), dump, options);
    const own = changesOf(written);
    if (best === undefined || own.length < best.own.length) best = { version, written, own };
    if (own.length === 0) break;
  }
  return best;
}

/** Every rule that differs, whether a finding explains it or not, and chains with other names. */
function changesOf({ diffs, changes }: Compared): readonly RuleChange[] {
  const rules = diffs.flatMap((diff) => ruleDifferences(diff).map((item) => changeOf(diff, item)));
  const known = new Set(rules.map(keyOf));
  return [...rules, ...changes.filter((change) => !known.has(keyOf(change)))];
}

function keyOf({ table, chain, expected, found, place }: RuleChange): string {
  return JSON.stringify([table, chain, expected, found, place?.line]);
}
