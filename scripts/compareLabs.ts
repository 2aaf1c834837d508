import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Builds the cluster of every recorded scenario out of network namespaces, one after the other, and holds what packets do
 * against the walk: `tsx scripts/compareLabs.ts [--mode nftables] [WORD…]` for those with a word in their names. Needs root
 * and what `npm run build` makes. Exit status 1: somewhere they disagree.
 */
const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', multiple: true } },
});
const modes = values.mode ?? ['iptables', 'nftables'];

/** A cluster of many endpoints needs thousands of connections. */
const longestMs = 900_000;

let failed = 0;
for (const name of readdirSync(join(root, 'golden/recorded/services'))) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
  for (const mode of modes) {
    if (!existsSync(join(root, 'golden/recorded/services', name, mode))) continue;
    const { isAgreed, said } = compare(name, mode);
    if (!isAgreed) failed += 1;
    console.log(`${isAgreed ? 'ok    ' : 'FAILED'} ${mode.padEnd(8)} ${name}: ${said}`);
  }
}
console.log(failed === 0 ? 'kernel and walk agree everywhere' : `${failed} disagree or could not be run`);
process.exitCode = failed === 0 ? 0 : 1;

function compare(name: string, mode: string): { readonly isAgreed: boolean; readonly said: string } {
  const folder = join(root, 'fixtures/services', name);
  const config = join(folder, 'config.yaml');
  const args = readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'bin/k8snet.cjs'),
      'lab',
      ...['-f', join(folder, 'manifests.yaml'), ...(existsSync(config) ? ['--config', config] : []), ...args],
      ...['--mode', mode, '--kube-version', '1.30', '--compare', '-q'],
    ],
    { encoding: 'utf8', timeout: longestMs, maxBuffer: 2 ** 28 },
  );
  const lines = `${stdout}${stderr}`.trim().split('\n');
  const last = lines.at(-1) ?? '';
  const isRefused = mode === 'nftables' && !loadsRecorded(name);
  if (isRefused && /do not load/.test(stdout + stderr)) {
    return { isAgreed: true, said: 'nft refuses what kube-proxy writes, here as where it was recorded' };
  }
  if (status === 0) return { isAgreed: true, said: last };
  const wrong = lines.filter((line) => /disagree|the walk|error/i.test(line)).slice(0, 5);
  return { isAgreed: false, said: [`status ${status}`, ...wrong, last].join('\n         ') };
}

/** What nft refused was recorded without a listing. */
function loadsRecorded(name: string): boolean {
  const files = readdirSync(join(root, 'golden/recorded/services', name, 'nftables'));
  return files
    .filter((file) => file.endsWith('.restore'))
    .every((file) => files.includes(file.replace(/restore$/, 'save')));
}
