import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInUml } from '../../src/lab/runInUml.ts';
import { byVersion } from '../support/byVersion.ts';
import { kernelTests } from './requirements.ts';

const root = join(import.meta.dirname, '../..');
const recordings = 'golden/recorded/ipvs-dialects';
const goldens = 'golden/compiled/ipvs-dialects';

/** What a recorded kube-proxy made, in one family of one case: chains and jumps, rules, sets. */
interface State {
  readonly name: string;
  readonly family: 'v4' | 'v6';
  readonly versions: string[];
  readonly ensure: string;
  readonly restore: string;
  readonly sets: string;
}

/**
 * The `save` texts of IPVS mode were not recorded: the kernel makes them here out of what was recorded. `--update` writes
 * them down. All of them take some minutes, so mostly only one case is loaded.
 */
kernelTests(['uml'])('what every recorded version wrote loads, and is shown as the goldens have it', async () => {
  const names = process.env.UPDATE_GOLDEN || process.env.K8SNET_ALL_STATES ? cases() : ['affinity-lb-nodeport'];
  const states = names.flatMap(statesOf);
  const shown = await load(states);
  const made = new Map<string, string>();
  for (const [index, { name, family, versions }] of states.entries()) {
    for (const version of versions) {
      made.set(`${name} iptables.${family}.save ${version}`, shown[index]?.iptables ?? '');
      made.set(`${name} ipset.${family}.save ${version}`, shown[index]?.ipset ?? '');
    }
  }
  if (process.env.UPDATE_GOLDEN) writeGoldens(made);
  const kept = new Map(
    names.flatMap((name) =>
      [...byVersion(`${goldens}/${name}`)].flatMap(([version, files]) =>
        [...files].map(([file, text]) => [`${name} ${file} ${version}`, text] as const),
      ),
    ),
  );
  assert.deepEqual(made, kept);
});

function cases(): readonly string[] {
  return readdirSync(join(root, recordings));
}

function statesOf(name: string): readonly State[] {
  const states = new Map<string, State>();
  for (const [version, files] of byVersion(`${recordings}/${name}`)) {
    for (const family of ['v4', 'v6'] as const) {
      const restore = files.get(`iptables.${family}.restore`);
      if (restore === undefined) continue;
      const ensure = files.get(`ensure.${family}`) ?? '';
      const sets = files.get(`ipset.${family}.save`) ?? '';
      const key = [family, ensure, restore, sets].join('\0');
      const known = states.get(key);
      if (known) known.versions.push(version);
      else states.set(key, { name, family, versions: [version], ensure, restore, sets });
    }
  }
  return [...states.values()];
}

async function load(states: readonly State[]): Promise<readonly { iptables: string; ipset: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-ipvs-'));
  const at = (name: string) => join(folder, name);
  try {
    for (const [number, state] of states.entries()) {
      // ipset refuses a network of everything.
      writeFileSync(at(`${number}.sets`), state.sets.replaceAll(/^add .*\/0\n/gm, ''));
      writeFileSync(at(`${number}.made`), madeBefore(state));
      writeFileSync(at(`${number}.restore`), state.restore);
    }
    const lines = states.map(({ family }, number) => `${number} ${family === 'v4' ? 'iptables' : 'ip6tables'}\n`);
    writeFileSync(at('states'), lines.join(''));
    const guest = join(import.meta.dirname, 'ipvsDialectsGuest.sh');
    const ran = await runInUml(['sh', guest, folder], { memory: '512M', timeoutSeconds: 1200, shares: [folder] });
    assert.equal(ran.status, 0, ran.stderr);
    return states.map((_, number) => ({
      iptables: withoutNotes(readFileSync(at(`${number}.iptables`), 'utf8')),
      ipset: inOrder(readFileSync(at(`${number}.ipset`), 'utf8')),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The recorded calls as one text, and what kubelet has in KUBE-MARK-DROP where a rule leads there. */
function madeBefore({ ensure, restore }: State): string {
  return ['nat', 'filter']
    .map((table) => {
      const own = ensure.split('\n').filter((line) => line.startsWith(`-t ${table} `));
      const calls = own.map((line) => line.slice(`-t ${table} `.length));
      const chains = new Set(calls.filter((call) => call.startsWith('-N ')).map((call) => call.slice(3)));
      const marks = table === 'nat' && restore.includes('-j KUBE-MARK-DROP');
      if (marks) chains.add('KUBE-MARK-DROP');
      return [
        `*${table}`,
        ...[...chains].map((chain) => `:${chain} - [0:0]`),
        ...calls.filter((call) => !call.startsWith('-N ')),
        ...(marks ? ['-A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000'] : []),
        'COMMIT\n',
      ].join('\n');
    })
    .join('');
}

/** `#` lines hold dates; built-in chains have counted what passed. */
function withoutNotes(save: string): string {
  return save.replaceAll(/^#.*\n/gm, '').replaceAll(/^(:[A-Z]+ ACCEPT) .*$/gm, '$1 [0:0]');
}

/** Members of a hash come in no order, and its initval is drawn. */
function inOrder(save: string): string {
  const sets = save.replaceAll(/ initval 0x[0-9a-f]+/g, '').split(/^(?=create )/m);
  return sets
    .map((set) => {
      const [create = '', ...members] = set.trimEnd().split('\n');
      return `${[create, ...members.sort()].join('\n')}\n`;
    })
    .join('');
}

function writeGoldens(made: ReadonlyMap<string, string>): void {
  rmSync(join(root, goldens), { recursive: true, force: true });
  const versions = new Map<string, string[]>();
  for (const [key, text] of made) {
    const [name = '', file = '', version = ''] = key.split(' ');
    const at = `${name}/${file}\0${text}`;
    versions.set(at, [...(versions.get(at) ?? []), version]);
  }
  for (const [at, own] of versions) {
    const [path = '', text = ''] = at.split('\0');
    mkdirSync(join(root, goldens, path), { recursive: true });
    writeFileSync(join(root, goldens, path, own.join('+')), text);
  }
}
