// Writes the engine's code for the bundles in the folder that is given, as src/cli/cachedRun.ts reads it: for what small
// runs need of them, with a checksum behind it. A process of its own, as the code depends on Node's flags; plain
// JavaScript, so that nothing else is loaded.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import zlib from 'node:zlib';

// Node before 20.15: the bundles do without.
if (zlib.crc32 === undefined) process.exit();
const folder = resolve(process.argv[2] ?? '.');
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-code-'));
try {
  const late = bundle('late');
  const { script, exports } = bundle('run', (name) => late.exports.modules[name]());
  const list = sample('list.json', listOf(objects()));
  const yaml = sample('service.yaml', serviceYaml());
  for (const file of [list, yaml]) {
    for (const form of ['save', 'restore']) await run(exports, ['compile', '-q', '-f', file, '-o', form]);
  }
  await run(exports, ['compile', '-f', yaml]);
  write('run', script);
  for (const words of lateRuns(list, yaml)) await run(exports, words);
  write('late', late.script);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function bundle(name, load) {
  const filename = join(folder, `${name}.cjs`);
  const script = new Script(readFileSync(filename, 'latin1'), { filename });
  return { script, exports: script.runInThisContext()(createRequire(filename), load, folder, { exports: {} }) };
}

function write(name, script) {
  const file = `${name}-${process.version}-${process.platform}-${process.arch}.code`;
  const code = script.createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(zlib.crc32(code));
  writeFileSync(join(folder, file), Buffer.concat([code, sum]));
}

async function run(exports, words) {
  const status = await exports.run(words);
  if (status > 1) throw new Error(`k8snet ${words.join(' ')} ended with ${status}`);
}

function lateRuns(list, yaml) {
  const [iptables, nftables] = ['iptables', 'nftables'].map((mode) => join(scratch, mode));
  const save = join(iptables, 'iptables.v4.save');
  const policies = sample('policies.json', listOf(policyObjects()));
  const about = ['-f', list, '--node', 'node-1'];
  return [
    ['compile', ...about, '--out-dir', iptables],
    ['compile', ...about, '--mode', 'nftables', '--out-dir', nftables],
    ['lint', '-f', list],
    ['diff', ...about, save],
    ['diff', ...about, join(nftables, 'nft.v4.save')],
    ['diff', '-f', yaml, save],
    ['doctor', save],
    ['canon', save],
    ['import', save],
    ['trace', ...about, '--from', 'outside', '--to', '10.96.0.10:80'],
    ['why', ...about, '--from', 'outside', '--to', '10.96.0.10:80'],
    ['reach', ...about],
    ['policy', 'matrix', '-f', policies],
    ['compile', '-f', policies, '--policy-only', '--node', 'node-1'],
    ['emit', 'dns', '-f', list],
    ['explain', 'K8N203'],
    ['versions'],
    ['cidr', '10.0.0.0/8'],
    ['--help'],
    ['diff', '--help'],
  ];
}

function sample(name, text) {
  const file = join(scratch, name);
  writeFileSync(file, text);
  return file;
}

function objects() {
  const metadata = { name: 'web', namespace: 'default' };
  const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
  const slice = { name: 'web-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: '10.96.0.10', selector: { app: 'web' }, ports } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: slice,
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.244.0.5'], conditions: { ready: true }, nodeName: 'node-1' }],
    },
  ];
}

function policyObjects() {
  const status = { phase: 'Running', podIP: '10.244.0.5', podIPs: [{ ip: '10.244.0.5' }] };
  const spec = { nodeName: 'node-1', containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 8080 }] }] };
  const ingress = [{ from: [{ ipBlock: { cidr: '192.0.2.0/24' } }, { podSelector: {} }], ports: [{ port: 8080 }] }];
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' }, spec, status },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'web', namespace: 'default' },
      spec: { podSelector: {}, policyTypes: ['Ingress'], ingress },
    },
  ];
}

function listOf(items) {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

function serviceYaml() {
  return `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIP: 10.96.0.10
  ports:
  - port: 80
    name: "http"
`;
}
