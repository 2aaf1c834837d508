import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { gatesNeeded } from '../../src/dialect/gates/gateState.ts';
import { parseKubeVersion } from '../../src/dialect/version.ts';
import type { Namespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { root } from '../support/compileCase.ts';
import { applyObjects, clusterObjects, type KubeObject, removeObjects } from './applyObjects.ts';
import { type ControlPlane, openControlPlane } from './openControlPlane.ts';
import { lacksCluster, proxyCommand } from './programs.ts';
import { until } from './until.ts';

/**
 * Records what a real kube-proxy of a version writes for the cases of `fixtures/{services,nft-dialects,live}`:
 *
 *   node --import tsx test/cluster/record.ts VERSION [CASE…]
 *
 * `golden/recorded/live/CASE/` then has the objects as the API server returns them and, in `VERSION/MODE/`, the
 * transactions of the first sync and the rules in the kernel. A case whose objects the API server refuses is named and left
 * out. Needs root and the programs of build.sh.
 */
const [version = '', ...given] = process.argv.slice(2);
const missing = version === '' ? 'which version?' : lacksCluster([version]);
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}

const recorded = join(root, 'golden/recorded/live');
const modes = ['iptables', 'nftables'] as const;
type Mode = (typeof modes)[number];

/** Programs that keep what they are given before they run the real ones. */
const loaders: Readonly<Record<Mode, readonly string[]>> = {
  iptables: ['iptables-restore', 'ip6tables-restore'],
  nftables: ['nft'],
};

interface Case {
  readonly name: string;
  readonly node: string;
  readonly objects: readonly KubeObject[];
  readonly config: Readonly<Record<string, unknown>>;
}

const plane = await openControlPlane('10.96.0.0/12,fd00:10:96::/64');
try {
  for (const one of casesOf(given)) {
    const refusal = await applyObjects(plane.api, one.objects);
    if (refusal === undefined) {
      for (const mode of modes) await record(one, mode);
      // The last, when the API server has filled in everything.
      writeFileSync(join(recorded, one.name, 'objects.json'), `${JSON.stringify(await clusterObjects(plane.api))}\n`);
      console.log(one.name);
    } else console.log(`${one.name}: left out, ${refusal}`);
    await removeObjects(plane.api);
  }
} finally {
  await plane.close();
}

function casesOf(names: readonly string[]): readonly Case[] {
  return ['services', 'nft-dialects', 'live'].flatMap((set) =>
    readdirSync(join(root, 'fixtures', set))
      .filter((name) => names.length === 0 || names.includes(name))
      .flatMap((name): readonly Case[] => {
        const file = (part: string) => join(root, 'fixtures', set, name, part);
        const manifests = ['manifests.yaml', 'manifest.yaml'].map(file).find((path) => existsSync(path));
        if (manifests === undefined) return [];
        const documents = parseAllDocuments(readFileSync(manifests, 'utf8')).map((one) => one.toJS() as KubeObject);
        const objects = documents.flatMap((one) => one?.items ?? (one === null ? [] : [one]));
        const node = /--node (\S+)/.exec(readFileSync(file('args'), 'utf8'))?.[1] ?? '';
        const config = existsSync(file('config.yaml')) ? parse(readFileSync(file('config.yaml'), 'utf8')) : {};
        return [{ name, node, objects, config }];
      }),
  );
}

/** A node of its own, with the addresses that its Node has and one by which it reaches the API server: 192.168.77.11. */
async function record({ name, node, objects, config }: Case, mode: Mode): Promise<void> {
  const namespace = await plane.openNode(node, 11);
  const work = join(plane.folder, `${name}-${mode}`);
  try {
    await addAddresses(namespace, node, objects);
    mkdirSync(work);
    const path = writeShims(work, mode);
    const file = join(work, 'config.yaml');
    writeFileSync(file, stringify({ ...fixedConfig(plane, mode), hostnameOverride: node, ...config, mode }));
    const command = proxyCommand(version) as readonly string[];
    const proxy = plane.start(namespace, `${name}-${mode}`, [...command, '--config', file], path);
    await until(`${name} is synced`, 60_000, () => isSynced(namespace));
    proxy.kill('SIGKILL');
    await keep(join(recorded, name, minorOf(version), mode), work, mode, namespace);
  } catch (problem) {
    const log = join(plane.folder, `${name}-${mode}.log`);
    if (existsSync(log)) console.error(readFileSync(log, 'utf8').split('\n').slice(-12).join('\n'));
    throw problem;
  } finally {
    await namespace.close();
  }
}

function minorOf(text: string): string {
  return text.split('.').slice(0, 2).join('.');
}

async function addAddresses(namespace: Namespace, node: string, objects: readonly KubeObject[]): Promise<void> {
  const own = objects.find(({ kind, metadata }) => kind === 'Node' && metadata.name === node);
  for (const { type, address } of own?.status?.addresses ?? [])
    if (type === 'InternalIP') {
      const [length, rest] = address.includes(':') ? [64, ['nodad']] : [24, []];
      await tryIn(namespace, ['ip', 'addr', 'add', `${address}/${length}`, 'dev', 'eth0', ...rest]);
    }
}

function fixedConfig({ folder }: ControlPlane, mode: Mode): object {
  const kubeVersion = parseKubeVersion(version);
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: join(folder, 'kubeconfig') },
    featureGates: kubeVersion === undefined ? {} : gatesNeeded(mode, kubeVersion),
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    mode,
  };
}

function writeShims(work: string, mode: Mode): string {
  const folder = join(work, 'bin');
  mkdirSync(folder);
  for (const program of loaders[mode]) {
    const file = join(folder, program);
    writeFileSync(
      file,
      `#!/bin/sh
case " $* " in
*" -f - "* | *" --noflush "*)
  kept=$(mktemp "${work}/${program}.$(date +%s%N).XXXXXX")
  tee "$kept" | /usr/sbin/${program} "$@"
  ;;
*) exec /usr/sbin/${program} "$@" ;;
esac
`,
    );
    chmodSync(file, 0o755);
  }
  return `${folder}:${process.env.PATH}`;
}

/** Both families, by kube-proxy's own account. */
async function isSynced(namespace: Namespace): Promise<boolean> {
  const program = `fetch('http://127.0.0.1:10249/metrics').then(async (answer) => console.log(await answer.text()))`;
  const { stdout } = await tryIn(namespace, [process.execPath, '-e', program]);
  const times = (metric: string) =>
    [...stdout.matchAll(new RegExp(`^kubeproxy_sync_proxy_rules_${metric}_timestamp_seconds\\S* (\\S+)`, 'gm'))].map(
      ([, value]) => Number(value),
    );
  const [queued, done] = [times('last_queued'), times('last')];
  return done.length > 0 && done.every((value) => value > 0 && value >= Math.max(...queued));
}

async function keep(folder: string, work: string, mode: Mode, namespace: Namespace): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const kept = readdirSync(work).sort();
  const transactions = (program: string) =>
    kept.filter((name) => name.startsWith(`${program}.`)).map((name) => readFileSync(join(work, name), 'utf8'));
  const write = (name: string, text: string | undefined) => {
    if (text !== undefined) writeFileSync(join(folder, name), text);
  };
  if (mode === 'nftables') {
    for (const [family, table] of [
      ['v4', 'ip'],
      ['v6', 'ip6'],
    ] as const)
      write(
        `nft.${family}.restore`,
        transactions('nft').find((text) => text.includes(`add rule ${table} kube-proxy `)),
      );
    write('nft.txt', await runIn(namespace, ['nft', 'list', 'ruleset']));
    return;
  }
  for (const [family, prefix] of [
    ['v4', 'iptables'],
    ['v6', 'ip6tables'],
  ] as const) {
    write(
      `iptables.${family}.restore`,
      transactions(`${prefix}-restore`).find((text) => text.includes(':KUBE-SERVICES')),
    );
    write(`iptables.${family}.save`, await runIn(namespace, [`${prefix}-save`]));
  }
}
