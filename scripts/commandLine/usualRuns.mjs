// What people usually start, with inputs of a few objects: which chunks of the program are needed together is learned from
// this, and what code of the engine is worth keeping. Plain JavaScript, so that nothing else is loaded with it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Arguments of runs, in the order in which they must run; inputs and results are in the folder. */
export function usualRuns(scratch) {
  const sample = (name, text) => {
    const file = join(scratch, name);
    writeFileSync(file, text);
    return file;
  };
  const list = sample('list.json', listOf(objects()));
  const yaml = sample('service.yaml', serviceYaml());
  const policies = sample('policies.json', listOf(policyObjects()));
  const [iptables, nftables, ipvs] = ['iptables', 'nftables', 'ipvs'].map((mode) => join(scratch, mode));
  const save = join(iptables, 'iptables.v4.save');
  const about = ['-f', list, '--node', 'node-1'];
  const packet = ['--from', 'outside', '--to', '10.96.0.10:80'];
  return [
    ...[list, yaml].flatMap((file) => ['save', 'restore'].map((form) => ['compile', '-q', '-f', file, '-o', form])),
    ['compile', '-f', list],
    ['compile', ...about, '-o', 'restore'],
    ['__complete', 'compile', '-f', list, '--service', ''],
    ['compile', '-f', yaml],
    ['compile', ...about, '--out-dir', iptables],
    ['compile', ...about, '--mode', 'nftables', '--out-dir', nftables],
    ['compile', ...about, '--mode', 'ipvs', '--out-dir', ipvs],
    ['lint', '-f', list],
    ['lint', '-f', yaml],
    ['diff', ...about, save],
    ['diff', ...about, join(nftables, 'nft.v4.save')],
    ['diff', '-f', yaml, save],
    ['diff', save, save],
    ['diff', save, save, '--compare', 'behaviour'],
    ['doctor', save],
    ['doctor', ...about, save],
    ['canon', save],
    ['import', save],
    ['convert', save, '--to', 'nftables', '--check'],
    ['trace', ...about, ...packet],
    ['trace', save, ...packet],
    ['why', ...about, ...packet],
    ['why', save, ...packet],
    ['whois', save, '10.96.0.10'],
    ['split', ...about, 'default/web:80'],
    ['reach', ...about],
    ['check-service', 'web', '-f', list, save],
    ['policy', 'matrix', '-f', policies],
    ['compile', '-f', policies, '--policy-only', '--node', 'node-1'],
    ['emit', 'dns', '-f', list],
    ['explain', 'K8N203'],
    ['explain', 'service', '-f', list, '--service', 'default/web'],
    ['versions'],
    ['cidr', '10.0.0.0/8'],
    ['--help'],
    ['diff', '--help'],
  ];
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
