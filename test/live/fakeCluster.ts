import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyNodeCommand } from '../../src/live/node/nodeCommands.ts';
import { procCommands } from '../../src/live/node/procCommands.ts';
import { runCli } from '../support/runCli.ts';

/**
 * A `kubectl` and an `ssh` that answer for a cluster of nodes `n1` and `n2` with one Service, `shop/web`. Rules: `web.save`
 * has those of the cluster; `both.save` also those of `shop/old`, which was deleted; in `behind.save` its endpoint has another
 * address.
 */
export interface FakeCluster {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What a node prints the first times, and from then on: names of files without `.save`. */
  readonly rules: (first: string, times: number, later: string) => void;
  /** How often a node was read since `forget`. */
  readonly asked: () => number;
  readonly forget: () => void;
  /** From now on the Service changes with each reading. */
  readonly keepsChanging: () => void;
  /** Everything is as in the beginning, whatever a test wrote: lists, and nodes that are gone. */
  readonly begin: () => void;
  readonly close: () => void;
}

export function fakeCluster(): FakeCluster {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-cluster-'));
  const bin = join(folder, 'bin');
  const node = join(folder, 'node');
  for (const made of [bin, node]) mkdirSync(made);
  const program = (name: string, script: string, where: string) =>
    writeFileSync(join(where, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  // Nothing of this machine is read.
  for (const { words } of [...everyNodeCommand, ...procCommands]) program(words[0] ?? '', 'exit 1', node);
  program('cat', 'exec /bin/cat "$@"', node);
  program('id', 'echo 0', node);
  program(
    'ssh',
    `for node in $(cat ${folder}/gone); do [[ " $* " == *" $node "* ]] && { echo "ssh: connect to host $node: No route to host" >&2; exit 255; }; done
PATH=${node}:/usr/bin:/bin exec /bin/sh -s`,
    bin,
  );
  const begin = () => {
    writeFileSync(join(folder, 'gone'), '');
    writeLists(folder);
    forget();
  };
  const count = join(folder, 'asked');
  const forget = () => rmSync(count, { force: true });
  begin();
  writeRules(folder);
  program(
    'kubectl',
    `while [[ $1 == --* ]]; do shift; done
case $1 in
config) echo test ;;
get) case "$*" in
  *watch=*) sleep 600 ;;
  *services*) sed "s/\\"BUSY\\"/\\"$(date +%s%N)\\"/" ${folder}/services ;;
  *endpointslices*) cat ${folder}/slices ;;
  */nodes*) cat ${folder}/nodes ;;
  *) cat ${folder}/nothing ;;
  esac ;;
esac`,
    bin,
  );
  return {
    folder,
    environment: { PATH: `${bin}:${process.env.PATH}`, KUBECONFIG: join(folder, 'none') },
    rules: (first, times, later) =>
      program(
        'iptables-nft-save',
        `echo x >>${count}; [[ $(wc -l <${count}) -le ${times} ]] && cat ${folder}/${first}.save || cat ${folder}/${later}.save`,
        node,
      ),
    asked: () => readFileSync(count, 'utf8').length / 2,
    forget,
    keepsChanging: () => {
      const busy = services
        .slice(0, 1)
        .map(({ metadata, ...web }) => ({ ...web, metadata: { ...metadata, resourceVersion: 'BUSY' } }));
      writeFileSync(join(folder, 'services'), listOf('Service', 'v1', busy));
    },
    begin,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const services = [service('web', '10.96.0.1'), service('old', '10.96.0.2')];
const slices = [slice('web', '10.244.1.1'), slice('old', '10.244.1.2')];

function writeRules(folder: string): void {
  for (const [name, count] of [
    ['both', 2],
    ['web', 1],
  ] as const) {
    const items = [...services.slice(0, count), ...slices.slice(0, count)];
    const list = join(folder, `${name}.json`);
    writeFileSync(list, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const made = runCli(['compile', '-f', list, '--node', 'n1', '--kube-version', '1.36']);
    if (made.status !== 0) throw new Error(made.stderr);
    writeFileSync(join(folder, `${name}.save`), made.stdout);
    if (name === 'web') writeFileSync(join(folder, 'behind.save'), made.stdout.replaceAll('10.244.1.1', '10.244.1.9'));
  }
}

/** The API server has one Service. */
function writeLists(folder: string): void {
  writeFileSync(join(folder, 'services'), listOf('Service', 'v1', services.slice(0, 1)));
  writeFileSync(join(folder, 'slices'), listOf('EndpointSlice', 'discovery.k8s.io/v1', slices.slice(0, 1)));
  writeFileSync(join(folder, 'nodes'), listOf('Node', 'v1', ['n1', 'n2'].map(nodeNamed)));
  writeFileSync(join(folder, 'nothing'), listOf('Pod', 'v1', []));
}

function listOf(kind: string, version: string, items: readonly object[]): string {
  return JSON.stringify({ apiVersion: version, kind: `${kind}List`, metadata: { resourceVersion: '1' }, items });
}

function nodeNamed(name: string): object {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, resourceVersion: '1' } };
}

export function service(name: string, clusterIP: string) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      type: 'ClusterIP',
      clusterIP,
      clusterIPs: [clusterIP],
      ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
    },
  };
}

function slice(name: string, address: string): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${name}-1`,
      namespace: 'shop',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true }, nodeName: 'n1' }],
  };
}
