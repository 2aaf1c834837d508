import type { ProxyMode } from '../../common/proxyMode.ts';
import { detectVersions } from '../../dialect/detectVersions.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import { parseDumps } from '../../netfilter/iptables/parse.ts';
import { exitCodes } from '../exitCodes.ts';
import { readDumpText } from '../readDumpText.ts';
import { talk } from '../talk.ts';
import { writeOut } from '../writeOut.ts';

/** `k8snet versions --detect`: reads a dump of iptables and names the versions that could have written it. */
export async function detectAction(path: string, output: 'text' | 'json'): Promise<number> {
  const said = talk({ color: 'auto', quiet: false, verbose: false });
  const text = readDumpText(path, said.report);
  if (text === undefined) {
    await said.flush({ textOf: () => undefined, formatOf: () => 'none' });
    return exitCodes.badInput;
  }
  const dumps = parseDumps(text, {}, () => {});
  const hasRules = dumps.some((dump) => dump.tables.some((table) => table.rules.length > 0 || table.chains.length > 0));
  if (!hasRules) {
    said.report({
      code: 'not-a-dump',
      severity: 'error',
      message: `${path === '-' ? 'standard input' : path} holds no iptables rules`,
      at: [],
      hint: 'give the output of iptables-save',
    });
    await said.flush({ textOf: () => undefined, formatOf: () => 'none' });
    return exitCodes.badInput;
  }
  const { mode, versions, fingerprints } = detectVersions(dumps);
  const names = versions.map(formatKubeVersion);
  if (output === 'json') {
    writeOut([`${JSON.stringify({ schema: 'k8snet.detect/v1', mode, versions: names, fingerprints }, null, 2)}\n`]);
  } else {
    const lines = fingerprints.map(({ seen, leaves }) => `  ${String(leaves).padStart(3)} versions write: ${seen}`);
    writeOut([`${verdict(mode, names)}\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}`]);
  }
  return versions.length > 0 ? exitCodes.ok : exitCodes.differs;
}

function verdict(mode: ProxyMode, names: readonly string[]): string {
  if (names.length === 0)
    return 'no known version of kube-proxy writes all of this (two versions at work, or edited rules):';
  return `written by kube-proxy ${ranges(names)}${mode === 'userspace' ? ' in userspace mode' : ''}; told by:`;
}

/** `1.27–1.34`, `1.5, 1.6`. */
function ranges(names: readonly string[]): string {
  return names.length > 3 ? `${names[0]} to ${names.at(-1)} (${names.length} versions)` : names.join(', ');
}
