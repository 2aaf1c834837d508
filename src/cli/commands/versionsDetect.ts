import type { ProxyMode } from '../../common/proxyMode.ts';
import { type Detection, detectVersions } from '../../dialect/detectVersions.ts';
import type { DumpedRules } from '../../dialect/dumpedRules.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import { flushedSets } from '../../dump/flushedSets.ts';
import { readDumps } from '../../dump/readDumps.ts';
import { dumpedModes } from '../../import/dumpedModes.ts';
import { dumpedRules } from '../../import/dumpedRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { exitCodes } from '../exitCodes.ts';
import { collectMessages } from '../messages.ts';
import { readDumpText } from '../readDumpText.ts';
import { writeOut } from '../writeOut.ts';

/** `k8snet versions --detect`: reads dumps of a node and names the versions that could have written them, by mode. */
export async function detectAction(
  paths: readonly string[],
  asked: ProxyMode | undefined,
  output: 'text' | 'json',
): Promise<number> {
  const messages = collectMessages({ color: 'auto', quiet: false, verbose: false });
  const files = paths.flatMap((path) => {
    const text = readDumpText(path, messages.report);
    return text === undefined ? [] : [{ name: path === '-' ? 'standard input' : path, text }];
  });
  const names = files.map(({ name }) => name).join(', ');
  const flushed = files.map(({ text }) => flushedSets(text)).find((sets) => sets !== undefined);
  const dumped = { ...dumpedRules(everyTool(readDumps(files, { name: names }))), ...(flushed && { flushed }) };
  const modes = asked === undefined ? dumpedModes(dumped) : [asked];
  if (!messages.hasErrors() && !holdsRules(dumped)) {
    messages.report({
      code: 'not-a-dump',
      severity: 'error',
      message: `${names} ${files.length > 1 ? 'hold' : 'holds'} no rules of kube-proxy`,
      at: [],
      hint: 'give the output of iptables-save, ipset save or nft list ruleset',
    });
  }
  if (messages.hasErrors()) {
    await messages.flush();
    return exitCodes.badInput;
  }
  const detected = modes.map((mode) => ({ mode, ...detectVersions(mode, dumped) }));
  writeOut(output === 'json' ? [detectJson(detected)] : detected.map(detectText));
  return detected.some(({ versions }) => versions.length > 0) ? exitCodes.ok : exitCodes.differs;
}

type Detected = Detection & { readonly mode: ProxyMode };

function holdsRules({ iptables, nft, ipsets }: DumpedRules): boolean {
  const hasRules = iptables.some(({ tables }) => tables.some((table) => table.rules.length + table.chains.length > 0));
  return hasRules || nft.length > 0 || ipsets.length > 0;
}

/** The versions of the first mode also stand on top: there is rarely another. */
function detectJson(detected: readonly Detected[]): string {
  const modes = detected.map(({ mode, versions, fingerprints }) => ({
    mode,
    versions: versions.map(formatKubeVersion),
    fingerprints,
  }));
  return `${JSON.stringify({ schema: 'k8snet.detect/v1', ...modes[0], modes }, null, 2)}\n`;
}

function detectText({ mode, versions, fingerprints }: Detected): string {
  const lines = fingerprints.map(
    ({ seen, leaves }) => `  ${String(leaves).padStart(3)} version${leaves === 1 ? ' writes' : 's write'}: ${seen}\n`,
  );
  return `${verdict(mode, versions.map(formatKubeVersion))}\n${lines.join('')}`;
}

function verdict(mode: ProxyMode, names: readonly string[]): string {
  if (names.length === 0) {
    return `no known version of kube-proxy writes all of this in ${mode} mode (two versions at work, or edited rules):`;
  }
  const range = names.length > 3 ? `${names[0]} to ${names.at(-1)} (${names.length} versions)` : names.join(', ');
  return `written by kube-proxy ${range}${mode === 'iptables' ? '' : ` in ${mode} mode`}; evidence:`;
}
