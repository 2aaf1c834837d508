import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { healthyNames, readHealthyCase } from '../test/support/healthy/healthyCase.ts';
import { clusterObjects } from '../test/support/healthy/healthyCluster.ts';
import { runHealthyCase } from '../test/support/healthy/runHealthyCase.ts';

/**
 * Makes the recorded part of `fixtures/healthy` again: the manifests, what the node's tools show, and what became of real
 * packets. Arguments: names of cases; without any, all. Needs root, iptables, nft and ipset, some cases user-mode Linux.
 */
/** Set where the script runs in a guest already. */
const inGuest = 'K8SNET_HEALTHY_GUEST';

const given = process.argv.slice(2);
for (const name of given.length > 0 ? given : healthyNames()) await make(name);

async function make(name: string): Promise<void> {
  const healthy = readHealthyCase(name);
  const { folder, shape } = healthy;
  if (healthy.needsGuest && process.env[inGuest] === undefined) {
    const guest = join(import.meta.dirname, '../src/lab/uml-run');
    const words = ['--mem', '2G', '--timeout', '600', '--share', folder, '--'];
    const self = [process.execPath, ...process.execArgv, process.argv[1] as string, name];
    execFileSync(guest, [...words, ...self], { stdio: 'inherit', env: { ...process.env, [inGuest]: '1' } });
    return;
  }
  const texts = clusterObjects(shape).map((object) => stringify(object, { aliasDuplicateObjects: false }));
  writeFileSync(join(folder, 'manifests.yaml'), texts.join('---\n'));
  const { dump, packets } = await runHealthyCase(healthy);
  for (const part of ['dumps', 'facts']) rmSync(join(folder, 'node', part), { recursive: true, force: true });
  for (const [path, text] of dump) {
    const file = join(folder, 'node', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder, 'packets.txt'), packets);
  console.log(`${name}\n${readFileSync(join(folder, 'packets.txt'), 'utf8')}`);
}
