import type { ProxyMode } from '../../../common/proxy/proxyMode.ts';
import { knownVersions } from '../../../dialect/knownVersions.ts';
import { modeTable } from '../../../dialect/modeTable.ts';
import { newestVersion } from '../../../dialect/newestVersion.ts';
import { type VersionChange, versionChanges } from '../../../dialect/sentences/versionChanges.ts';
import {
  compareKubeVersions,
  formatKubeVersion,
  type KubeVersion,
  parseKubeVersion,
} from '../../../dialect/version.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import { writeOut } from '../../write/writeOut.ts';

/**
 * What changed between two versions, or in one since the version before it; in sentences, by mode. `asked` is the
 * version to explain, or the two of `--between`.
 */
export async function versionsBetween(
  modes: readonly ProxyMode[],
  asked: KubeVersion | readonly KubeVersion[],
  output: 'text' | 'json',
): Promise<number> {
  const [before, after, ...further] = 'minor' in asked ? [versionBefore(asked), asked] : asked;
  const misuse = misuseOf(before, after, further.length);
  if (before === undefined || after === undefined || misuse !== undefined) {
    const messages = collectMessages({ color: 'auto', quiet: false, verbose: false });
    messages.report({ code: 'bad-option', severity: 'error', message: misuse ?? '', at: [] });
    await messages.flush();
    return exitCodes.badInput;
  }
  const found = modes.map((mode) => compared(mode, before, after));
  writeOut(
    output === 'json' ? [json(before, after, found)] : [found.map((one) => text(one, before, after)).join('\n')],
  );
  return exitCodes.ok;
}

function misuseOf(
  before: KubeVersion | undefined,
  after: KubeVersion | undefined,
  further: number,
): string | undefined {
  if (before === undefined || after === undefined || further > 0)
    return '--between takes two versions: --between 1.30 1.36';
  const newest = newestVersion();
  if (after.minor > newest.minor) return `no version newer than ${formatKubeVersion(newest)} is known`;
  return compareKubeVersions(before, after) > 0 ? '--between takes the older version first' : undefined;
}

interface Compared {
  readonly mode: ProxyMode;
  /** Why there is nothing to compare; undefined: there is. */
  readonly absent: string | undefined;
  readonly changes: readonly VersionChange[];
}

function compared(mode: ProxyMode, before: KubeVersion, after: KubeVersion): Compared {
  const oldest = knownVersions(mode)[0] as KubeVersion;
  if (compareKubeVersions(before, oldest) < 0) {
    const isFirst = compareKubeVersions(after, oldest) >= 0 && after.minor === oldest.minor;
    const name = formatKubeVersion(oldest);
    const absent = isFirst ? 'the first version of this mode that is known' : `known from kube-proxy ${name} on`;
    return { mode, absent, changes: [] };
  }
  const removed = parseKubeVersion(modeTable(mode).removedIn ?? '');
  if (removed !== undefined && compareKubeVersions(after, removed) >= 0) {
    return { mode, absent: `removed in kube-proxy ${formatKubeVersion(removed)}`, changes: [] };
  }
  return { mode, absent: undefined, changes: versionChanges(mode, before, after) };
}

function versionBefore({ minor, patch }: KubeVersion): KubeVersion {
  return patch === undefined || patch === 0 ? { minor: minor - 1, patch: undefined } : { minor, patch: patch - 1 };
}

function text({ mode, absent, changes }: Compared, before: KubeVersion, after: KubeVersion): string {
  const head = `${mode} mode, kube-proxy ${formatKubeVersion(after)} against ${formatKubeVersion(before)}`;
  if (absent !== undefined) return `${head}: ${absent}\n`;
  if (changes.length === 0) return `${head}: nothing differs\n`;
  const isOneStep = changes.every(({ since }) => since.minor === after.minor && since.patch === after.patch);
  const lines = (title: string, isBehaviour: boolean) => {
    const own = changes.filter((change) => change.isBehaviour === isBehaviour);
    return own.length === 0 ? '' : `${title}\n${own.map((change) => sentence(change, isOneStep)).join('')}`;
  };
  return `${head}\n${lines('  What happens:', true)}${lines('  How it is written:', false)}`;
}

function sentence({ after, before, since }: VersionChange, isOneStep: boolean): string {
  const version = isOneStep ? '' : `${formatKubeVersion(since)}: `;
  return `  - ${version}${after}\n${before === undefined ? '' : `      before: ${before}\n`}`;
}

function json(before: KubeVersion, after: KubeVersion, found: readonly Compared[]): string {
  const modes = found.map(({ mode, absent, changes }) => ({
    mode,
    ...(absent === undefined ? {} : { absent }),
    changes: changes.map((change) => ({
      kind: change.isBehaviour ? 'behaviour' : 'text',
      since: formatKubeVersion(change.since),
      after: change.after,
      ...(change.before === undefined ? {} : { before: change.before }),
    })),
  }));
  const document = {
    schema: 'k8snet.versionChanges/v1',
    before: formatKubeVersion(before),
    after: formatKubeVersion(after),
    modes,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
