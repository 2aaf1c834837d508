import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { builtFile, nodeCommand } from '../support/builtFile.ts';
import { openPodCluster, type PodCluster } from './openPodCluster.ts';
import { lacksKubelet } from './programs.ts';
import { until } from './until.ts';

/** Real Pods on real kubelets: they have addresses, answer, can be entered, and nothing is left of them. */
const lacks = lacksKubelet(['1.36.3']);
if (process.env.K8SNET_REQUIRE_CLUSTER === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;

let cluster: PodCluster;

before(async () => {
  if (skip) return;
  cluster = await openPodCluster([
    { version: '1.36.3', mode: 'iptables' },
    { version: '1.36.3', mode: 'nftables' },
  ]);
});

after(async () => {
  await cluster?.close();
});

/** Answers with the name of its node; one on each. */
const web = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'web',
            image: 'localhost/pod:1',
            imagePullPolicy: 'Never',
            args: ['sh', '-c', 'mkdir /www && echo "$NODE" >/www/index.html && exec httpd -f -v -p 8080 -h /www'],
            env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
            readinessProbe: { httpGet: { port: 8080, path: '/' }, periodSeconds: 1 },
          },
        ],
      },
    },
  },
};

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: {
    clusterIP: '10.96.0.80',
    clusterIPs: ['10.96.0.80', 'fd00:96::80'],
    ipFamilyPolicy: 'RequireDualStack',
    selector: { app: 'web' },
    ports: [{ port: 80, targetPort: 8080 }],
  },
};

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIPs: readonly { readonly ip: string }[] };
  }[];
}

test('Pods of every node reach Pods of every node in both families, directly and through a Service', {
  skip,
}, async () => {
  const { kubectl, settled } = cluster;
  const items = [web, service];
  await kubectl(['apply', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await settled(['rollout', 'status', 'daemonset/web']);
  const { items: pods } = JSON.parse(await kubectl(['get', 'pods', '--selector=app=web', '--output=json'])) as Pods;
  assert.deepEqual(pods.map(({ spec }) => spec.nodeName).sort(), ['n1', 'n2']);
  for (const { metadata, spec, status } of pods) {
    const number = spec.nodeName.slice(1);
    assert.match(
      status.podIPs.map(({ ip }) => ip).join(),
      new RegExp(`^10\\.244\\.${number}\\.\\d+,fd00:10:${number}::`),
    );
    const inside = (...words: readonly string[]) => kubectl(['exec', metadata.name, '--', ...words]);
    // By nc: a static busybox crashes where wget looks a name up, even that of an address.
    const fetched = async (address: string, port: number) => {
      const answer = await inside('sh', '-c', `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 ${address} ${port}`);
      return answer.split('\r\n\r\n')[1];
    };
    for (const other of pods) {
      for (const { ip } of other.status.podIPs)
        await until(`${metadata.name} reaches ${ip}`, 30_000, async () => {
          const answer = await fetched(ip, 8080).catch(() => undefined);
          return answer === `${other.spec.nodeName}\n`;
        });
    }
    for (const address of ['10.96.0.80', 'fd00:96::80']) {
      const answered = new Set<string>();
      await until(`both answer through ${address}`, 30_000, async () => {
        const name = await fetched(address, 80).catch(() => undefined);
        if (name !== undefined) answered.add(name);
        return answered.size === 2;
      });
    }
  }
  const logs = await kubectl(['logs', pods[0]?.metadata.name ?? '']);
  assert.match(logs, /response:200|url:\//);
});

test('a container cannot do what it was not granted', { skip }, async () => {
  const { kubectl, tryKubectl } = cluster;
  const { items } = JSON.parse(await kubectl(['get', 'pods', '--selector=app=web', '--output=json'])) as Pods;
  const [pod] = items;
  assert.ok(pod);
  const { status, stderr } = await tryKubectl([
    'exec',
    pod.metadata.name,
    '--',
    ...['ip', 'addr', 'add', '10.9.9.9/32', 'dev', 'lo'],
  ]);
  assert.notEqual(status, 0);
  assert.match(stderr, /not permitted/);
});

test('nothing is left when the process that opened it is killed', { skip }, async () => {
  const [program = '', ...words] = nodeCommand;
  const held = spawn(program, [...words, builtFile('test/cluster/heldPods.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: held.stdout }), 'line')) as [string];
  const { folder } = JSON.parse(line) as { readonly folder: string };
  const ours = `k8snet-${held.pid}-`;
  try {
    // The kubelet says that a container runs before its program has replaced the one that prepares it.
    await until(
      () => 'the Pod runs',
      30_000,
      async () => isRunning('987654'),
    );
    assert.ok(
      controlGroups().some((name) => name.startsWith(ours)),
      'it has a control group',
    );
  } finally {
    held.kill('SIGKILL');
  }
  await until(
    () => `nothing is left of ${ours}: ${controlGroups().join(' ')}`,
    30_000,
    async () =>
      !isRunning('987654') &&
      !isRunning(folder) &&
      !controlGroups().some((name) => name.startsWith(ours)) &&
      !existsSync(folder),
  );
});

/** Whether a process of this machine has a word in its command line. */
function isRunning(word: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    });
}

/** Of either version. */
function controlGroups(): readonly string[] {
  const roots = readdirSync('/sys/fs/cgroup', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('k8snet-'))
    .map(({ name }) => `/sys/fs/cgroup/${name}`);
  return ['/sys/fs/cgroup', ...roots].flatMap((path) => readdirSync(path)).filter((name) => name.startsWith('k8snet-'));
}
