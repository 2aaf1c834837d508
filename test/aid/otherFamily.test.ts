import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkService, compile, loadTexts, readDump, toFiles } from '../../src/public/api.ts';
import { orThrow, told } from '../../src/public/result.ts';

/** A node without a route for IPv6, and a Service with addresses of both families. */
async function checked(...endpoints: readonly string[]) {
  const report = () => {};
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service, node, ...endpoints.map(slice)] });
  const { objects } = await told(loadTexts([{ name: 'cluster.json', text }]), report);
  const compiled = await told(compile(objects, { node: 'n1', kubeVersion: '1.36' }), report);
  assert.ok(compiled);
  const files = await told(toFiles(compiled), report);
  const saves = ['iptables.v4.save', 'iptables.v6.save'].map((name) => ({
    name,
    text: [...(files?.all.find((file) => file.name === name)?.text() ?? [])].join(''),
  }));
  const routes = [
    { name: 'ip-route.txt', text: '10.244.1.0/24 dev cni0 proto kernel scope link src 10.244.1.1\n' },
    { name: 'ip-6-route.txt', text: 'fe80::/64 dev eth0 proto kernel metric 256 pref medium\n' },
  ];
  const dump = await orThrow(readDump([...saves, ...routes], { name: 'n1' }));
  const check = await told(checkService({ service: 'shop/web', objects, nodes: [dump] }), report);
  assert.ok(check);
  return check;
}

it('where a Service has no endpoints of a family, a node without a route for it is no fault', async () => {
  const { verdict, causes, remarks } = await checked('10.244.1.1');
  assert.equal(verdict, 'in-order');
  assert.deepEqual(causes, []);
  assert.ok(
    remarks.some(({ text }) =>
      text.endsWith('[fd00:96::1]:80/tcp: the Service has no IPv6 endpoints, so nobody answers there.'),
    ),
  );
});

it('where it has some, it is', async () => {
  const { verdict, causes } = await checked('10.244.1.1', 'fd00:10:1::1');
  assert.equal(verdict, 'broken');
  assert.match(causes[0]?.what ?? '', /does not arrive: The kernel does not route/);
});

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.1',
    clusterIPs: ['10.96.0.1', 'fd00:96::1'],
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
  },
};

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  spec: { podCIDRs: ['10.244.1.0/24', 'fd00:10:1::/64'] },
  status: {
    addresses: [
      { type: 'InternalIP', address: '192.168.77.11' },
      { type: 'InternalIP', address: 'fd77::11' },
    ],
  },
};

function slice(address: string, at: number): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `web-${at}`, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: address.includes(':') ? 'IPv6' : 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true }, nodeName: 'n1' }],
  };
}
