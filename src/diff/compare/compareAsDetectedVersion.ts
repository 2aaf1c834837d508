import { count } from '../../common/text/count.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { DiffOptions } from '../diffOptions.ts';
import type { DetectedVersion } from '../settle/detectedVersion.ts';
import { mostLikeVersion } from '../settle/mostLikeVersion.ts';
import { changeKey } from './changeKey.ts';
import { changesOf } from './changesOf.ts';
import type { Compared } from './compareManifests.ts';

/**
 * The comparison with the version that wrote the dump, if the dump differs from it in few rules: its findings, and all
 * differences from the requested version as changes that K8N109 explains, since the dump is still not what was asked
 * for. A note says how many these are. Of several possible versions, the most similar one counts. Undefined: the
 * version does not make the difference.
 */
export function compareAsDetectedVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
  asked: Compared,
  { versions, finding }: Extract<DetectedVersion, { kind: 'other' }>,
): Compared | undefined {
  // Changes of other Services are not shown, so nothing that was asked for would remain.
  if (options.service !== undefined) return undefined;
  const all = changesOf(asked);
  const best = mostLikeVersion(compiled, dump, options, versions);
  if (best === undefined) return undefined;
  const own = changesOf(best.compared);
  if (own.length * 2 > all.length) return undefined;
  const { compared: written } = best;
  const known = new Set(own.map(changeKey));
  const only = all.flatMap((change) =>
    known.has(changeKey(change)) ? [] : [{ ...change, explainedBy: 'K8N109' as const }],
  );
  const names = new Set(written.diffs.map(({ table, chain }) => `${table} ${chain}`));
  const [one, other] = [formatKubeVersion(compiled.kubeVersion), formatKubeVersion(best.compiled.kubeVersion)];
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
