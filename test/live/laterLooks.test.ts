import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { everyNodeCommand } from '../../src/live/node/nodeCommands.ts';
import { procCommands } from '../../src/live/node/procCommands.ts';
import { cliCommand, runCli, runProcess } from '../support/runCli.ts';

/**
 * A Service was deleted just before a cluster is read, which no object tells, and kube-proxy may not have written it yet: a
 * node is blamed for what it still has a while later.
 */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-second-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const bin = join(folder, 'bin');
const node = join(folder, 'node');

const services = [service('web', '10.96.0.1'), service('old', '10.96.0.2')];
const slices = [slice('web', '10.244.1.1'), slice('old', '10.244.1.2')];

function program(name: string, script: string, where: string): void {
  writeFileSync(join(where, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
}

before(() => {
  for (const made of [bin, node]) mkdirSync(made);
  // Nothing of this machine is read.
  for (const { words } of [...everyNodeCommand, ...procCommands]) program(words[0] ?? '', 'exit 1', node);
  program('cat', 'exec /bin/cat "$@"', node);
  program('id', 'echo 0', node);
  program('ssh', `PATH=${node}:/usr/bin:/bin exec /bin/sh -s`, bin);
  for (const [name, count] of [
    ['both', 2],
    ['web', 1],
  ] as const) {
    const items = [...services.slice(0, count), ...slices.slice(0, count)];
    const list = join(folder, `${name}.json`);
    writeFileSync(list, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const made = runCli(['compile', '-f', list, '--node', 'n1', '--kube-version', '1.36']);
    assert.equal(made.status, 0, made.stderr);
    writeFileSync(join(folder, `${name}.save`), made.stdout);
  }
  // The API server has one Service.
  const lists = (kind: string, version: string, items: readonly object[]) =>
    JSON.stringify({ apiVersion: version, kind: `${kind}List`, metadata: { resourceVersion: '1' }, items });
  writeFileSync(join(folder, 'services'), lists('Service', 'v1', services.slice(0, 1)));
  writeFileSync(join(folder, 'slices'), lists('EndpointSlice', 'discovery.k8s.io/v1', slices.slice(0, 1)));
  writeFileSync(join(folder, 'nodes'), lists('Node', 'v1', ['n1', 'n2'].map(nodeNamed)));
  writeFileSync(join(folder, 'nothing'), lists('Pod', 'v1', []));
  program(
    'kubectl',
    `while [[ $1 == --* ]]; do shift; done
case $1 in
config) echo test ;;
get) case "$*" in
  *watch=*) sleep 600 ;;
  *services*) sed "s/"BUSY"/"$(date +%s%N)"/" ${folder}/services ;;
  *endpointslices*) cat ${folder}/slices ;;
  */nodes*) cat ${folder}/nodes ;;
  *) cat ${folder}/nothing ;;
  esac ;;
esac`,
    bin,
  );
});

/** What the node prints the first times, and from then on. */
function rules(first: string, times: number, later: string): void {
  const count = join(folder, 'asked');
  program(
    'iptables-nft-save',
    `echo x >>${count}; [[ $(wc -l <${count}) -le ${times} ]] && cat ${folder}/${first}.save || cat ${folder}/${later}.save`,
    node,
  );
}

const asked = () => readFileSync(join(folder, 'asked'), 'utf8').length / 2;

beforeEach(() => rmSync(join(folder, 'asked'), { force: true }));

const environment = { PATH: `${bin}:${process.env.PATH}`, KUBECONFIG: join(folder, 'none') };
const run = (...args: readonly string[]) => runProcess([...args, '--live', '--via', 'ssh'], { environment });

test('rules that kube-proxy was about to remove are no difference', () => {
  rules('both', 1, 'web');
  const { status, stdout, stderr } = run('diff', 'node/n1');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 2);
});

test('rules that stay are', () => {
  rules('both', 9, 'both');
  const { status, stdout } = run('diff', 'node/n1');
  assert.equal(status, 1);
  assert.match(stdout, /shop\/old/);
  assert.equal(asked(), 2);
});

test('of a chain that keeps changing, what differs in both looks counts', () => {
  const web = readFileSync(join(folder, 'web.save'), 'utf8');
  const also = (port: number) => `-A KUBE-SERVICES -d 10.96.0.${port}/32 -p tcp -m tcp --dport ${port} -j ACCEPT\n`;
  const save = (name: string, ...ports: readonly number[]) =>
    writeFileSync(join(folder, `${name}.save`), web.replace(/(?=-A KUBE-SERVICES )/, ports.map(also).join('')));
  save('first', 7, 8);
  save('then', 7, 9);
  rules('first', 1, 'then');
  const { status, stdout } = run('diff', 'node/n1');
  assert.equal(status, 1);
  assert.match(stdout, /10\.96\.0\.7/);
  assert.doesNotMatch(stdout, /10\.96\.0\.[89]/);
  save('then', 9);
  rmSync(join(folder, 'asked'));
  const passing = run('diff', 'node/n1');
  assert.equal(passing.status, 0, passing.stdout + passing.stderr);
});

test('where something keeps changing, kube-proxy may be slow', () => {
  const list = join(folder, 'services');
  const quiet = readFileSync(list, 'utf8');
  // Another Service, without rules, that changes with each reading.
  const busy = { ...service('busy', 'None'), metadata: { name: 'busy', namespace: 'shop', resourceVersion: 'BUSY' } };
  const { items, ...rest } = JSON.parse(quiet) as { readonly items: readonly object[] };
  writeFileSync(list, JSON.stringify({ ...rest, items: [...items, busy] }));
  try {
    rules('both', 5, 'web');
    const slow = run('diff', 'node/n1');
    assert.equal(slow.status, 0, slow.stdout + slow.stderr);
    assert.equal(asked(), 6);
    rmSync(join(folder, 'asked'));
    rules('both', 99, 'both');
    const broken = run('diff', 'node/n1');
    assert.equal(broken.status, 1, broken.stdout + broken.stderr);
    assert.match(broken.stdout, /shop\/old/);
    // A look that finds changes reads the node twice.
    assert.equal(asked(), 8);
  } finally {
    writeFileSync(list, quiet);
  }
});

test('a node in order is read once', () => {
  rules('web', 9, 'web');
  const { status, stdout, stderr } = run('diff', 'node/n1');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 1);
});

test('each of several nodes is read once more, and waited for once', () => {
  // Of all nodes, a few are read before the first is compared; of named ones, each by itself.
  rules('both', 2, 'web');
  const { status, stdout, stderr } = run('diff', 'nodes');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 4);
  rmSync(join(folder, 'asked'));
  rules('both', 1, 'web');
  const named = run('diff', 'node/n1', 'node/n2');
  assert.equal(named.status, 0, named.stdout + named.stderr);
  assert.equal(asked(), 3);
});

test('of several nodes that differ', () => {
  rules('both', 9, 'both');
  const { status, stdout, stderr } = run('diff', 'node/n1', 'node/n2', '-o', 'json');
  assert.equal(status, 1, stdout + stderr);
  // Later than a sync after the first reading, a look is sure.
  assert.equal(asked(), 3);
});

test('check-service blames a node for what it has later, too', () => {
  rules('web', 9, 'web');
  writeFileSync(
    join(folder, 'broken.save'),
    readFileSync(join(folder, 'web.save'), 'utf8').replace(/-A KUBE-SERVICES .*\n/g, ''),
  );
  const inOrder = run('check-service', 'shop/web', 'node/n1');
  assert.equal(inOrder.status, 0, inOrder.stdout + inOrder.stderr);
  rmSync(join(folder, 'asked'));
  rules('broken', 1, 'web');
  const soon = run('check-service', 'shop/web', 'node/n1');
  assert.equal(soon.status, 0, soon.stdout + soon.stderr);
  rmSync(join(folder, 'asked'));
  rules('broken', 9, 'web');
  const broken = run('check-service', 'shop/web', 'node/n1');
  assert.equal(broken.status, 1, broken.stdout + broken.stderr);
  assert.equal(asked(), 2);
});

test('a watch begins with what stands', async () => {
  rules('both', 1, 'web');
  const [command = '', ...words] = cliCommand;
  const watch = spawn(command, [...words, 'diff', 'node/n1', '--live', '--via', 'ssh', '--watch', '--interval', '1h'], {
    env: { ...process.env, ...environment },
  });
  const said = await new Promise<string>((resolve) => {
    let text = '';
    watch.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text);
    });
    watch.once('close', () => resolve(text));
  });
  watch.kill('SIGINT');
  assert.ok(said.includes('node n1'), said);
  assert.doesNotMatch(said, /K8N/);
});

function nodeNamed(name: string): object {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, resourceVersion: '1' } };
}

function service(name: string, clusterIP: string): object {
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
