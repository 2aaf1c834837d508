import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { type Namespace, openNamespace } from '../../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../../src/lab/runIn.ts';
import { kernelTests } from '../../kernel/requirements.ts';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';

const kernelTest = kernelTests(['namespaces']);

function node(
  number: number,
  more: { annotations?: object; ranges?: readonly string[]; addresses?: readonly string[] } = {},
): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${number}`, annotations: more.annotations },
    spec: { podCIDRs: more.ranges ?? [`10.244.${number}.0/24`, `fd00:244:${number}::/64`] },
    status: {
      addresses: (more.addresses ?? [`192.0.2.1${number}`, `2001:db8::1${number}`]).map((address) => ({
        type: 'InternalIP',
        address,
      })),
    },
  };
}

function pod(name: string, nodeName: string, ip: string): object {
  const metadata = { name, namespace: 'shop' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName, containers: [{ name: 'c' }] },
    status: { podIP: ip },
  };
}

function block(cidr: string, nodeName: string, more: object = {}): object {
  const name = cidr.replaceAll(/[./:]+/g, '-');
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'BlockAffinity',
    metadata: { name },
    spec: { cidr, node: nodeName, state: 'confirmed', ...more },
  };
}

function emit(objects: readonly object[], args: readonly string[]) {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return runCli(['emit', 'routes', '-f', '-', ...args], { input });
}

const devices = [
  'link add eth0 type veth peer name peer0',
  'addr add 192.0.2.11/24 dev eth0',
  'addr add 2001:db8::11/64 dev eth0 nodad',
  'link set eth0 up',
  'link set peer0 up',
  'link add cni0 type bridge',
  'link set cni0 up',
  'link add flannel.1 type vxlan id 1 dev eth0 dstport 8472 nolearning',
  'link set flannel.1 up',
  'link add flannel-v6.1 type vxlan id 2 local 2001:db8::11 dev eth0 dstport 8473 nolearning',
  'link set flannel-v6.1 up',
  'link add vxlan.calico type vxlan id 3 dev eth0 dstport 4789 nolearning',
  'link set vxlan.calico up',
  'tuntap add flannel0 mode tun',
  'link set flannel0 up',
  // Calico's IPIP device and the node's end of a Pod's link, as any device serves.
  'link add tunl0 type bridge',
  'link set tunl0 up',
  'link add cali551b05c3e54 type bridge',
  'link set cali551b05c3e54 up',
];

async function nodeWithDevices(): Promise<Namespace> {
  const namespace = await openNamespace('node', { 'net.ipv6.conf.all.accept_dad': 0 });
  try {
    for (const command of devices) await runIn(namespace, ['ip', ...command.split(' ')]);
    return namespace;
  } catch (error) {
    await namespace.close();
    throw error;
  }
}

/** What the kernel holds, in the words of `-o route`: host names of tables, metrics and states of links are its own. */
async function entriesIn(namespace: Namespace): Promise<readonly string[]> {
  const show = async (...command: string[]) => (await runIn(namespace, command)).split('\n');
  const routes = [...(await show('ip', 'route', 'show')), ...(await show('ip', '-6', 'route', 'show'))];
  const neighbours = [...(await show('ip', 'neigh', 'show', 'nud', 'permanent'))];
  const fdb = (await show('bridge', 'fdb', 'show')).filter((line) => line.includes(' dst '));
  return [...routes.filter((line) => !/proto kernel|^default|^anycast|^multicast/.test(line)), ...neighbours, ...fdb]
    .map((line) =>
      line
        .replace(/ metric \d+/, '')
        .replace(/ pref medium/, '')
        .replace(/ linkdown/, '')
        .replace(/^(blackhole \S*:\S*) dev lo/, '$1'),
    )
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .sort();
}

/** The lines of the route form that the script sets. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.includes(' proto kernel'))
    .sort();
}

const annotations = (number: number) => ({
  'flannel.alpha.coreos.com/backend-data': `{"VNI":1,"VtepMAC":"8e:11:00:00:00:0${number}"}`,
  'flannel.alpha.coreos.com/backend-v6-data': `{"VNI":1,"VtepMAC":"8e:66:00:00:00:0${number}"}`,
  'projectcalico.org/IPv4VXLANTunnelAddr': `10.10.${number}.0`,
});
const nodes = [1, 2, 3].map((number) => node(number, { annotations: annotations(number) }));
const blocks = [
  block('10.10.1.0/26', 'n1'),
  block('10.10.2.0/26', 'n2'),
  block('10.10.3.0/26', 'n3'),
  block('10.10.9.0/26', 'n3', { deleted: 'true' }),
];
const calico = [...nodes, ...blocks, pod('web', 'n1', '10.10.1.5'), pod('stray', 'n3', '10.10.2.7')];

const plugins: readonly (readonly [what: string, objects: readonly object[], args: readonly string[]])[] = [
  ['flannel vxlan, both families', nodes, ['--cni', 'flannel']],
  ['flannel host-gw, both families', nodes, ['--backend', 'host-gw', '--node-subnet', '192.0.2.0/24']],
  ['flannel vxlan with direct routing', nodes, ['--direct-routing', '--node-subnet', '192.0.2.0/24']],
  ['flannel vxlan before 0.9', nodes, ['--flannel-version', 'v0.8.0', '--cluster-cidr', '10.244.0.0/16']],
  ['flannel udp', nodes, ['--backend', 'udp', '--cluster-cidr', '10.244.0.0/16']],
  ['kindnet', nodes, ['--cni', 'kindnet']],
  ['bridge', nodes, ['--cni', 'bridge']],
  ['calico', calico, ['--cni', 'calico']],
  ['calico ipip', calico, ['--cni', 'calico', '--calico-encap', 'ipip']],
  ['calico vxlan', calico, ['--cni', 'calico', '--calico-encap', 'vxlan']],
  [
    'calico vxlan across subnets only',
    calico,
    ['--cni', 'calico', '--calico-encap', 'vxlan-cross-subnet', '--node-subnet', '192.0.2.0/24'],
  ],
];

for (const [what, objects, args] of plugins) {
  kernelTest(`${what}: the script, run twice, leaves what the lines say`, async () => {
    const lines = emit(objects, [...args, '--node', 'n1']);
    const script = emit(objects, [...args, '--node', 'n1', '-o', 'script']);
    assert.equal(script.status, 0, script.stderr);
    const namespace = await nodeWithDevices();
    try {
      for (const _ of [1, 2]) await runIn(namespace, ['sh'], script.stdout);
      assert.deepEqual(await entriesIn(namespace), linesOf(lines.stdout));
    } finally {
      await namespace.close();
    }
  });
}

kernelTest('a gateway that is not on the link: the kernel refuses it, and the script leaves it out', async () => {
  const far = node(4, { addresses: ['198.51.100.4'], ranges: ['10.244.4.0/24'] });
  const args = [
    '--backend',
    'host-gw',
    '--node-subnet',
    '192.0.2.0/24',
    '--node-subnet',
    '198.51.100.0/24',
    '--node',
    'n1',
  ];
  const lines = emit([...nodes, far], args);
  assert.equal(lines.status, 1);
  assert.match(lines.stderr, /warning gateway-not-on-link: Node n1 cannot reach 198\.51\.100\.4/);
  assert.match(lines.stdout, /^10\.244\.4\.0\/24 via 198\.51\.100\.4 dev eth0$/m);
  const { stdout } = emit([...nodes, far], [...args, '-o', 'script']);
  const command = /^# .*: (ip route replace 10\.244\.4\.0\/24 .*)$/m.exec(stdout)?.[1] ?? '';
  const namespace = await nodeWithDevices();
  try {
    await runIn(namespace, ['sh'], stdout);
    const refused = await tryIn(namespace, command.split(' '));
    assert.match(refused.stderr, /Nexthop has invalid gateway/);
  } finally {
    await namespace.close();
  }
});

kernelTest('hostile annotations stay out of the script', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-routes-'));
  const evil = `$(touch ${folder}/evil)`;
  const hostile = {
    'flannel.alpha.coreos.com/backend-data': JSON.stringify({ VtepMAC: `8e:11:00:00:00:02; ${evil}` }),
    'flannel.alpha.coreos.com/backend-v6-data': `{"VtepMAC":`,
    'flannel.alpha.coreos.com/public-ip': `192.0.2.2\n${evil}`,
    'flannel.alpha.coreos.com/public-ip-overwrite': evil,
  };
  const { status, stdout, stderr } = emit(
    [nodes[0] as object, node(2, { annotations: hostile })],
    ['--node', 'n1', '-o', 'script'],
  );
  assert.equal(status, 0, stderr);
  assert.equal(stderr.match(/warning bad-address:/g)?.length, 2);
  assert.match(stderr, /warning assumed-vtep-mac:/);
  assert.doesNotMatch(stdout, /evil/);
  const namespace = await nodeWithDevices();
  try {
    await runIn(namespace, ['sh'], stdout);
    assert.equal(existsSync(join(folder, 'evil')), false);
  } finally {
    await namespace.close();
    rmSync(folder, { recursive: true });
  }
});

test('hostile names and devices are refused', () => {
  const named = { ...(nodes[0] as object), metadata: { name: 'n1; touch evil' } };
  assert.equal(emit([named], []).status, 2);
  assert.equal(emit(nodes, ['--iface', '$(id)']).status, 2);
  const unknown = emit([...nodes, block('10.10.7.0/26', 'x\u001b[31m')], ['--cni', 'calico']);
  assert.match(unknown.stderr, /warning block-of-unknown-node:.*x\\x1b\[31m/);
});

test('blocks come from Pods where no BlockAffinity says more, then from the Nodes', () => {
  const bare = [node(1, { ranges: [] }), node(2, { ranges: [] })];
  const pods = [
    pod('a', 'n1', '10.10.0.1'),
    pod('b', 'n1', '10.10.0.2'),
    pod('c', 'n2', '10.10.0.3'),
    pod('d', 'n2', '10.10.0.70'),
  ];
  const fromPods = emit([...bare, ...pods], ['--cni', 'calico', '--node', 'n1']);
  assert.match(fromPods.stderr, /note assumed-blocks:/);
  assert.deepEqual(
    fromPods.stdout.split('\n').filter((line) => !line.includes(' cali')),
    [
      'blackhole 10.10.0.0/26 proto bird',
      '10.10.0.3 via 192.0.2.12 dev eth0 proto bird',
      '10.10.0.64/26 via 192.0.2.12 dev eth0 proto bird',
      '',
    ],
  );
  const fromNodes = emit(nodes, ['--cni', 'calico', '--node', 'n1']);
  assert.match(fromNodes.stdout, /^10\.244\.2\.0\/24 via 192\.0\.2\.12 dev eth0 proto bird$/m);
});

test('a tunnel address that is not known is a finding', () => {
  const { status, stdout, stderr } = emit(
    [node(1), node(2), ...blocks.slice(0, 2)],
    ['--cni', 'calico', '--calico-encap', 'vxlan'],
  );
  assert.equal(status, 1);
  assert.match(stderr, /warning tunnel-address-unknown:.*Node n1/);
  assert.doesNotMatch(stdout, / via /);
});

test('networks that overlap, and ranges outside of the Pod network', () => {
  const { status, stdout, stderr } = emit(
    [node(1, { ranges: ['10.244.1.0/24'] }), node(2, { ranges: ['10.96.0.0/24'] })],
    ['--cluster-cidr', '10.244.0.0/16', '--node-subnet', '10.244.9.0/24', '-o', 'json', '--cni', 'kindnet'],
  );
  assert.equal(status, 1);
  assert.deepEqual(JSON.parse(stdout).overlaps, [
    { kind: 'network-overlap', a: 'node 10.244.9.0/24', b: 'pod 10.244.0.0/16' },
    { kind: 'pod-cidr-outside', a: 'n2 10.96.0.0/24', b: 'pod 10.244.0.0/16' },
  ]);
  for (const code of ['network-overlap', 'pod-cidr-outside', 'gateway-not-on-link'])
    assert.match(stderr, new RegExp(`warning ${code}:`));
});

test('what is missing is said', () => {
  const codeOf = (objects: readonly object[], args: readonly string[]) => {
    const { status, stdout, stderr } = emit(objects, args);
    return [status, stdout === '', /(error|warning) ([a-z-]+):/.exec(stderr)?.[2]];
  };
  assert.deepEqual(codeOf(nodes, ['--backend', 'udp']), [2, true, 'cluster-cidr-needed']);
  assert.deepEqual(codeOf(nodes, ['--flannel-version', '0.8']), [2, true, 'cluster-cidr-needed']);
  assert.deepEqual(codeOf([], []), [2, true, 'no-nodes']);
  assert.deepEqual(codeOf(nodes, ['--node', 'n9']), [2, true, 'bad-option']);
  assert.deepEqual(codeOf(nodes, ['-o', 'script']), [2, true, 'bad-option']);
  assert.deepEqual(codeOf([...nodes, node(4, { addresses: [] })], []), [0, false, 'node-without-address']);
  assert.deepEqual(codeOf([...nodes, node(4, { addresses: ['192.0.2.14'] })], ['--cni', 'kindnet']), [
    0,
    false,
    'node-without-address',
  ]);
});

test('route -n shows hosts, gateways and blackholes as net-tools does', () => {
  const { stdout } = emit(calico, ['--cni', 'calico', '--node', 'n1', '-o', 'route-n']);
  const rows = stdout.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
  assert.deepEqual(rows.slice(2, 6), [
    '10.10.1.0 - 255.255.255.192 ! 0 - 0 -',
    '10.10.1.5 0.0.0.0 255.255.255.255 UH 0 0 0 cali551b05c3e54',
    '10.10.2.0 192.0.2.12 255.255.255.192 UG 0 0 0 eth0',
    '10.10.2.7 192.0.2.13 255.255.255.255 UGH 0 0 0 eth0',
  ]);
});

test('--out-dir writes a script and the lines of each node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-routes-'));
  try {
    assert.equal(emit(nodes, ['--cni', 'bridge', '--out-dir', folder]).status, 0);
    assert.deepEqual(readdirSync(folder).sort(), [
      'n1.routes',
      'n1.sh',
      'n2.routes',
      'n2.sh',
      'n3.routes',
      'n3.sh',
      'router.routes',
      'routes.json',
    ]);
    assert.equal(
      readFileSync(join(folder, 'n2.routes'), 'utf8'),
      emit(nodes, ['--cni', 'bridge', '--node', 'n2']).stdout,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('JSON keeps to its schema', () => {
  const schema = JSON.parse(readFileSync(join(root, 'schema/emit-routes.schema.json'), 'utf8'));
  const isValid = new Ajv({ allErrors: true }).compile(schema);
  for (const [what, objects, args] of plugins) {
    const { stdout } = emit(objects, [...args, '-o', 'json']);
    assert.ok(isValid(JSON.parse(stdout)), `${what}: ${JSON.stringify(isValid.errors)}`);
  }
  assert.ok(!isValid({ schema: 'k8snet.routes/v2' }));
});

test('many nodes take time as their entries are many', () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...node(1, {
      ranges: [`10.${200 + Math.floor(index / 250)}.${index % 250}.0/24`],
      addresses: [`192.0.${2 + Math.floor(index / 250)}.${index % 250}`],
    }),
    metadata: { name: `n${index}` },
  }));
  const { status, stdout } = emit(many, ['--cni', 'kindnet']);
  assert.equal(status, 0);
  assert.equal(stdout.split('\n').length, 300 * 300 + 1);
});
