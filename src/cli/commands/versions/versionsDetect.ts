import { defaultMode, type ProxyMode } from '../../../common/proxy/proxyMode.ts';
import { formatKubeVersion } from '../../../dialect/version.ts';
import type { DumpFile } from '../../../dump/dumpFile.ts';
import { detectVersions, type ModeDetection, readDump } from '../../../public/core.ts';
import { orThrow, told } from '../../../public/result.ts';
import { absenceOf } from '../../dumps/absenceOf.ts';
import { notADump } from '../../dumps/notADump.ts';
import { dumpPaths } from '../../dumps/paths/dumpPaths.ts';
import { readDumpFiles } from '../../dumps/readDumpFiles.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import { writeOut } from '../../write/writeOut.ts';

/** `k8snet versions --detect`: reads dumps of a node and names the versions that could have written them, by mode. */
export async function detectAction(
  paths: readonly string[],
  asked: ProxyMode | undefined,
  output: 'text' | 'json',
): Promise<number> {
  const messages = collectMessages({ color: 'auto', quiet: false, verbose: false });
  const files: DumpFile[] = [];
  for (const path of paths.flatMap(dumpPaths)) files.push(...((await readDumpFiles(path, messages.report)) ?? []));
  const names = paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
  const node = files.length === 0 ? undefined : await orThrow(readDump(files, { name: names }));
  const absence = node && absenceOf(node);
  if (absence !== undefined) {
    messages.report(absence);
    await messages.flush();
    return exitCodes.differs;
  }
  const detected = await told(detectVersions(files, { name: names, mode: asked }), messages.report);
  if (!messages.hasErrors() && detected === undefined) {
    messages.report(notADump(names, files, undefined, 'rules of kube-proxy'));
  }
  if (detected === undefined || messages.hasErrors()) {
    await messages.flush();
    return exitCodes.badInput;
  }
  writeOut(output === 'json' ? [detectJson(detected)] : detected.map(detectText));
  return detected.some(({ versions }) => versions.length > 0) ? exitCodes.ok : exitCodes.differs;
}

/** The versions of the first mode are also at the top: there is rarely another. */
function detectJson(detected: readonly ModeDetection[]): string {
  const modes = detected.map(({ mode, versions, fingerprints }) => ({
    mode,
    versions: versions.map(formatKubeVersion),
    fingerprints,
  }));
  return `${JSON.stringify({ schema: 'k8snet.detect/v1', ...modes[0], modes }, null, 2)}\n`;
}

function detectText({ mode, versions, fingerprints }: ModeDetection): string {
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
  return `written by kube-proxy ${range}${mode === defaultMode ? '' : ` in ${mode} mode`}; evidence:`;
}
