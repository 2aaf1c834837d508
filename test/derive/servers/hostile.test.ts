import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { kernelTests } from '../../kernel/requirements.ts';
import { runMany } from '../../support/runMany.ts';
import { makeCertificate, nginxCommand } from './nginx.ts';
import { runTool } from './runJob.ts';

const serverTest = kernelTests(['bind', 'nginx', 'nginx-stream', 'haproxy', 'openssl']);
const folder = mkdtempSync(join(tmpdir(), 'k8snet-hostile-'));
after(() => rmSync(folder, { recursive: true }));

/** Each ends a line, a word, a block or a quote of some configuration, and begins something of its own. */
const evils: readonly string[] = [
  `x'"\`\n$(touch EVIL)\u001b[31m;#\\ 5 IN A 6.6.6.6\nnameserver 6.6.6.6\nexport EVIL=1`,
  'a"; } server { listen 6666; return 200 EVIL; } #',
  `$(touch EVIL) $${'{EVIL}'} \\" ' ; check port 6666`,
];

type Tree = { [key: string]: unknown };

const service = (spec: Tree, metadata: Tree = {}, status: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'shop', ...metadata },
  spec: {
    type: 'LoadBalancer',
    clusterIP: '10.96.0.5',
    ports: [{ name: 'http', port: 80, nodePort: 30080 }],
    ...spec,
  },
  status: { loadBalancer: { ingress: [{ ip: '127.0.0.1' }] }, ...status },
});
const slice = (endpoint: Tree, rest: Tree = {}) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 's-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 's' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.244.1.5'], ...endpoint }],
  ports: [{ name: 'http', port: 80 }],
  ...rest,
});
const node = (metadata: Tree, spec: Tree = {}, address = '192.0.2.1') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', ...metadata },
  spec: { podCIDR: '10.244.1.0/24', ...spec },
  status: { addresses: [{ type: 'InternalIP', address }] },
});
const other = node({ name: 'n2' }, { podCIDR: '10.244.2.0/24' }, '192.0.2.2');
const ingress = (spec: Tree, metadata: Tree = {}, path: Tree = {}, host = 'a.example') => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'i', namespace: 'shop', ...metadata },
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } }, ...path },
          ],
        },
      },
    ],
    ...spec,
  },
});
const backend = (name: string, port: Tree) => ({ backend: { service: { name, port } } });
const pod = (metadata: Tree, spec: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', ...metadata },
  spec: { nodeName: 'n1', containers: [{ name: 'c' }], ...spec },
  status: { phase: 'Running', podIP: '10.244.1.5' },
});

const calico = ['routes', '--cni', 'calico', '--calico-encap', 'vxlan'];
const all: readonly (readonly string[])[] = [
  ['dns', '--endpoint-pod-names', '--pods', 'verified'],
  ['ingress', '--tls-dir', folder],
  ['lb'],
  ['lb', '--lb', 'nginx'],
  ['routes'],
  calico,
];
const only = (...names: readonly string[]) => all.filter(([name = '']) => names.includes(name));

/** By the field that holds the text: the targets that read it, and the objects. */
const inputs: Readonly<Record<string, readonly [typeof all, (evil: string) => readonly Tree[]]>> = {
  'name of a Service': [all, (evil) => [service({}, { name: evil }), slice({}), node({}), other]],
  'namespace of a Service': [all, (evil) => [service({}, { namespace: evil }), slice({}), node({}), other]],
  'annotation of a Service': [all, (evil) => [service({}, { annotations: { a: evil } }), slice({}), node({}), other]],
  'external name': [
    only('dns', 'ingress'),
    (evil) => [service({ type: 'ExternalName', clusterIP: null, externalName: evil }), ingress({})],
  ],
  'name of a port': [only('dns', 'ingress'), (evil) => [service({ ports: [{ name: evil, port: 80 }] }), ingress({})]],
  'requested address': [only('lb'), (evil) => [service({ loadBalancerIP: evil }, {}, { loadBalancer: {} }), node({})]],
  'address of a load balancer': [
    only('lb'),
    (evil) => [service({}, {}, { loadBalancer: { ingress: [{ ip: evil }] } }), node({})],
  ],
  'host name of a load balancer': [
    only('lb'),
    (evil) => [service({}, {}, { loadBalancer: { ingress: [{ hostname: evil }, { ip: '127.0.0.1' }] } }), node({})],
  ],
  'class of a load balancer': [only('lb'), (evil) => [service({ loadBalancerClass: evil }), node({})]],
  'source range': [only('lb'), (evil) => [service({ loadBalancerSourceRanges: [evil] }), node({})]],
  'hostname of an endpoint': [
    only('dns'),
    (evil) => [service({ type: 'ClusterIP', clusterIP: 'None', ports: [{ port: 80 }] }), slice({ hostname: evil })],
  ],
  'target of an endpoint': [only('dns'), (evil) => [service({}), slice({ targetRef: { kind: 'Pod', name: evil } })]],
  'address of an endpoint': [
    only('dns', 'ingress'),
    (evil) => [service({}), slice({ addresses: [evil] }), ingress({})],
  ],
  'node of an endpoint': [
    only('lb'),
    (evil) => [service({ externalTrafficPolicy: 'Local' }), slice({ nodeName: evil }), node({})],
  ],
  'name of a Node': [only('lb', 'routes'), (evil) => [service({}), node({ name: evil }), other]],
  'address of a Node': [only('lb', 'routes'), (evil) => [service({}), node({}, {}, evil), other]],
  'range of a Node': [only('routes'), (evil) => [node({}, { podCIDR: evil }), other]],
  'label of a Node': [only('lb'), (evil) => [service({}), node({ labels: { a: evil } }), other]],
  'hardware address': [
    only('routes'),
    (evil) => [
      node({ annotations: { 'flannel.alpha.coreos.com/backend-data': JSON.stringify({ VtepMAC: evil }) } }),
      other,
    ],
  ],
  'data of the back end': [
    only('routes'),
    (evil) => [node({ annotations: { 'flannel.alpha.coreos.com/backend-data': evil } }), other],
  ],
  'public address': [
    only('routes'),
    (evil) => [node({ annotations: { 'flannel.alpha.coreos.com/public-ip': evil } }), other],
  ],
  'tunnel address': [
    [calico],
    (evil) => [node({ annotations: { 'projectcalico.org/IPv4VXLANTunnelAddr': evil } }), other],
  ],
  'block and its node': [
    [calico],
    (evil) => [
      node({}),
      other,
      ...[evil, '10.244.1.64/26'].map((cidr, at) => ({
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'BlockAffinity',
        metadata: { name: `b${at}` },
        spec: { cidr, node: at === 0 ? 'n2' : evil, state: 'confirmed' },
      })),
    ],
  ],
  'name of a Pod': [only('dns', 'routes'), (evil) => [node({}), other, pod({ name: evil })]],
  'namespace of a Pod': [only('dns', 'routes'), (evil) => [node({}), other, pod({ namespace: evil })]],
  'node of a Pod': [[calico], (evil) => [node({}), other, pod({}, { nodeName: evil })]],
  'host of an Ingress': [only('ingress'), (evil) => [service({}), slice({}), ingress({}, {}, {}, evil)]],
  'path of an Ingress': [only('ingress'), (evil) => [service({}), slice({}), ingress({}, {}, { path: `/${evil}` })]],
  'type of a path': [only('ingress'), (evil) => [service({}), slice({}), ingress({}, {}, { pathType: evil })]],
  'backend of an Ingress': [
    only('ingress'),
    (evil) => [service({}), slice({}), ingress({}, {}, backend(evil, { number: 80 }))],
  ],
  'port of a backend': [
    only('ingress'),
    (evil) => [service({}), slice({}), ingress({}, {}, backend('s', { name: evil }))],
  ],
  'class of an Ingress': [only('ingress'), (evil) => [service({}), slice({}), ingress({ ingressClassName: evil })]],
  'annotations of an Ingress': [
    only('ingress'),
    (evil) => [
      service({}),
      slice({}),
      ingress(
        {},
        {
          annotations: {
            'nginx.ingress.kubernetes.io/backend-protocol': evil,
            'nginx.ingress.kubernetes.io/ssl-redirect': evil,
            'nginx.ingress.kubernetes.io/configuration-snippet': evil,
          },
        },
      ),
    ],
  ],
  'host of a certificate': [
    only('ingress'),
    (evil) => [service({}), slice({}), ingress({ tls: [{ hosts: [evil], secretName: 'cert' }] })],
  ],
  'Secret of a certificate': [
    only('ingress'),
    (evil) => [service({}), slice({}), ingress({ tls: [{ hosts: ['a.example'], secretName: evil }] })],
  ],
};

interface Made {
  readonly field: string;
  readonly target: readonly string[];
  readonly input: string;
  readonly out: string;
}

/** What comes of every field, text and target: refused, or files that the real programs read and that hold nothing of it. */
serverTest('hostile text stays inert in every target, or is refused', () => {
  makeCertificate(folder, 'shop-cert', 'a.example');
  const made = Object.entries(inputs).flatMap(([field, [targets, objects]]) =>
    evils.flatMap((evil) => {
      const input = join(folder, `${field}-${evils.indexOf(evil)}.json`);
      writeFileSync(input, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects(evil) }));
      return targets.map((target, at): Made => {
        const out = `${input}.${at}.out`;
        mkdirSync(out);
        return { field, target, input, out };
      });
    }),
  );
  const ended = runMany(
    made.map(({ target, input, out }) => ['emit', ...target, '-f', input, '--out-dir', out, '-q']),
    folder,
  );
  const loaded = new Set<string>();
  let kept = 0;
  for (const [at, { field, target, out }] of made.entries()) {
    const { status, stdout, stderr } = ended[at] ?? { status: null, stdout: '', stderr: '' };
    const what = `${field}: ${target.join(' ')}`;
    assert.ok(status === 0 || status === 1 || status === 2, `${what}: ${stderr}`);
    assert.equal(stdout, '', what);
    assert.doesNotMatch(stderr, /\u001b/, what);
    const files = readdirSync(out);
    if (status === 2) assert.deepEqual(files, [], what);
    else kept += 1;
    for (const file of files) {
      const text = readFileSync(join(out, file), 'utf8');
      // A path is matched as it is: there it stands, in quotes.
      if (field !== 'path of an Ingress') assert.doesNotMatch(text, /EVIL|6666|6\.6\.6\.6|\u001b/, what);
      if (!loaded.has(`${file}\n${text}`)) load(join(out, file), text);
      loaded.add(`${file}\n${text}`);
    }
  }
  assert.ok(kept > 50 && kept < made.length, `${kept} of ${made.length}`);
  assert.ok(!existsSync(join(folder, 'EVIL')));
});

/** The program that a file is for reads it. */
function load(path: string, text: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.endsWith('.zone')) {
    const zone = name.replace(/\.zone$/, '');
    runTool(['named-compilezone', '-i', 'none', '-o', `${path}.compiled`, zone, path]);
    const records = readFileSync(`${path}.compiled`, 'utf8')
      .split('\n')
      .filter((line) => /^\S+\s+\d+\s+IN\s/.test(line));
    assert.equal(records.length, text.trimEnd().split('\n').length, path);
  } else if (name === 'nginx.conf') {
    runTool([...nginxCommand(text, { isStream: text.includes('stream {') }), '-t']);
  } else if (name === 'haproxy.cfg') {
    // A configuration without any listener is refused.
    if (text.includes('\nlisten ')) runTool(['haproxy', '-c', '-f', path]);
  } else if (name.endsWith('.sh')) {
    runTool(['sh', '-n', path]);
    for (const line of text.trimEnd().split('\n')) assert.match(line, /^(?:#|set -e$|(?:ip|bridge) [\w .:/-]+$)/);
  }
}
