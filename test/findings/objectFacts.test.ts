import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectFacts } from '../../src/findings/checks/objectFacts.ts';
import { compileText } from '../support/compileText.ts';

/** `K8N901 shop/web: what is seen`, one a finding. */
async function found(yaml: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { compiled, manifests } = await compileText(yaml, ...args);
  return objectFacts(manifests, compiled.model).objectFindings.map(({ code, service, what, places }) => {
    assert.ok(places.length > 0);
    return `${code} ${service ?? '-'}: ${what}`;
  });
}

const service = (name: string, spec: string) => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {${spec}}
---`;

const web = service('web', 'clusterIP: 10.96.0.1, ports: [{name: http, port: 80}]');

const slice = (fields: string, port = 'http', labels = 'kubernetes.io/service-name: web') => `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {${labels}}}
ports: [{name: ${port}, port: 8080, protocol: TCP}]
${fields}
---`;

const ipv4 = (ip: string, node = 'n1') => `addressType: IPv4\nendpoints: [{addresses: [${ip}], nodeName: ${node}}]`;

describe('EndpointSlices that belong to no Service port', () => {
  it('says nothing of a slice that fits', async () => {
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1'))), []);
  });

  it('names a slice without the label', async () => {
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1'), 'http', 'app: web')), [
      'K8N901 -: EndpointSlice shop/web-1 has no label kubernetes.io/service-name: no Service uses it',
    ]);
  });

  it('names port names and protocols that the Service has not', async () => {
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1'), 'web')), [
      'K8N901 shop/web: EndpointSlice shop/web-1 has TCP port web; the Service has TCP port http',
    ]);
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1'), '""')), [
      'K8N901 shop/web: EndpointSlice shop/web-1 has an unnamed TCP port; the Service has TCP port http',
    ]);
    const udp = slice(ipv4('10.244.1.1')).replace('protocol: TCP', 'protocol: UDP');
    assert.equal((await found(web + udp)).length, 1);
  });

  it('names addresses of a family that the Service has not', async () => {
    const other = 'addressType: IPv6\nendpoints: [{addresses: ["fd00::1"]}]';
    assert.deepEqual(await found(web + slice(other)), [
      'K8N901 shop/web: EndpointSlice shop/web-1 holds IPv6 addresses, and the Service has no such address',
    ]);
  });

  it('asks for the label where there is none, and else for ports and addresses', async () => {
    const fixOf = async (yaml: string) => {
      const { compiled, manifests } = await compileText(yaml);
      return objectFacts(manifests, compiled.model)
        .objectFindings.map(({ fix }) => fix)
        .join();
    };
    assert.match(await fixOf(web + slice(ipv4('10.244.1.1'), 'http', 'app: web')), /label endpointslice SLICE/);
    const ofNamed = await fixOf(web + slice(ipv4('10.244.1.1'), 'web'));
    assert.match(ofNamed, /edit endpointslice SLICE/);
    assert.doesNotMatch(ofNamed, /label/);
  });

  it('says nothing of empty slices, names of hosts, and what another proxy serves', async () => {
    assert.deepEqual(await found(web + slice('addressType: IPv4\nendpoints: []', 'other')), []);
    assert.deepEqual(await found(web + slice('addressType: FQDN\nendpoints: [{addresses: [a.example]}]', 'other')), []);
    const unseen = 'kubernetes.io/service-name: web, service.kubernetes.io/headless: ""';
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1'), 'other', unseen)), []);
  });
});

const pod = (name: string, port: string) => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: web}}
spec: {nodeName: n1, containers: [{name: c, ports: [{name: ${port}, containerPort: 8080}]}]}
status: {phase: Running, podIP: 10.244.1.${name.length}}
---`;

const deployment = (port: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, ports: [{name: ${port}, containerPort: 8080}]}]}
---`;

describe('named target ports', () => {
  const named = service(
    'web',
    'clusterIP: 10.96.0.1, selector: {app: web}, ports: [{port: 80, targetPort: 80, name: a}, {port: 81, targetPort: http, name: b}]',
  );

  it('are looked for in every selected Pod', async () => {
    assert.deepEqual(await found(named + pod('a', 'http') + pod('bb', 'http')), []);
    assert.deepEqual(await found(named + pod('a', 'http') + pod('bb', 'web')), [
      'K8N902 shop/web:b: 1 of 2 selected Pods has a TCP port named http',
    ]);
    assert.deepEqual(await found(named + pod('a', 'web')), [
      'K8N902 shop/web:b: none of 1 selected Pods have a TCP port named http',
    ]);
  });

  it('are looked for in templates of workloads, where no Pod is given', async () => {
    assert.deepEqual(await found(named + deployment('http')), []);
    assert.deepEqual(await found(named + deployment('web')), [
      'K8N902 shop/web:b: none of 1 selected workloads have a TCP port named http',
    ]);
    assert.deepEqual(await found(named + deployment('web') + pod('a', 'http')), []);
  });

  it('points at the port that has the name', async () => {
    const { compiled, manifests } = await compileText(named + pod('a', 'web'));
    const [finding] = objectFacts(manifests, compiled.model).objectFindings;
    assert.deepEqual(finding?.places[0]?.path.slice(-4), ['spec', 'ports', 1, 'targetPort']);
  });
});

describe('addresses of two Services', () => {
  const external = (name: string, ip: string, more: string) =>
    service(name, `clusterIP: ${ip}, externalIPs: [192.0.2.1], ${more}`);

  it('are named where the port is the same too', async () => {
    const one = external('one', '10.96.0.1', 'ports: [{port: 80}]');
    assert.deepEqual(await found(one + external('two', '10.96.0.2', 'ports: [{port: 80}]')), [
      'K8N903 shop/two: 192.0.2.1:80/tcp is also an address of shop/one',
    ]);
    assert.deepEqual(await found(one + external('two', '10.96.0.2', 'ports: [{port: 81}]')), []);
    assert.deepEqual(await found(one + external('two', '10.96.0.2', 'ports: [{port: 80, protocol: UDP}]')), []);
  });

  it('are named where one is the cluster IP of the other, or given twice by load balancers', async () => {
    const taking = service('two', 'clusterIP: 10.96.0.2, externalIPs: [10.96.0.1], ports: [{port: 80, name: http}]');
    assert.deepEqual(await found(web + taking), ['K8N903 shop/two: 10.96.0.1:80/tcp is also an address of shop/web']);
    const balanced = (name: string, ip: string, mode: string) =>
      service(
        name,
        `type: LoadBalancer, allocateLoadBalancerNodePorts: false, clusterIP: ${ip}, ports: [{port: 80}]`,
      ).replace('\n---', `\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7, ipMode: ${mode}}]}}\n---`);
    const one = balanced('one', '10.96.0.1', 'VIP');
    assert.equal((await found(one + balanced('two', '10.96.0.2', 'VIP'))).length, 1);
    assert.deepEqual(await found(one + balanced('two', '10.96.0.2', 'Proxy')), []);
  });
});

describe('Endpoints beside EndpointSlices', () => {
  const endpoints = (subset: string, annotations = '') => `
apiVersion: v1
kind: Endpoints
metadata: {name: web, namespace: shop, annotations: {${annotations}}}
subsets: [{${subset}, ports: [{name: http, port: 8080}]}]
---`;

  it('are compared by address and readiness', async () => {
    const own = web + slice(ipv4('10.244.1.1'));
    assert.deepEqual(await found(own + endpoints('addresses: [{ip: 10.244.1.1}]')), []);
    assert.deepEqual(await found(own + endpoints('addresses: [{ip: 10.244.1.2}]')), [
      'K8N904 shop/web:http: only in Endpoints: 10.244.1.2:8080; only in slices: 10.244.1.1:8080',
    ]);
    assert.deepEqual(await found(own + endpoints('notReadyAddresses: [{ip: 10.244.1.1}]')), [
      'K8N904 shop/web:http: ready in one only: 10.244.1.1:8080',
    ]);
  });

  it('may lack terminating Pods, what is over 1,000, and the other family', async () => {
    const terminating = ipv4('10.244.1.1').replace(
      'nodeName',
      'conditions: {ready: false, terminating: true}, nodeName',
    );
    assert.deepEqual(await found(web + slice(terminating) + endpoints('').replace(/subsets.*/, 'subsets: []')), []);
    const cut = endpoints('addresses: [{ip: 10.244.1.2}]', 'endpoints.kubernetes.io/over-capacity: truncated');
    assert.deepEqual(await found(web + slice(ipv4('10.244.1.1')) + cut), []);
    const dual = service(
      'web',
      'clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, "fd00:96::1"], ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack, ports: [{name: http, port: 80}]',
    );
    const other = slice('addressType: IPv6\nendpoints: [{addresses: ["fd00::1"]}]').replace('web-1', 'web-2');
    assert.deepEqual(
      await found(dual + slice(ipv4('10.244.1.1')) + other + endpoints('addresses: [{ip: 10.244.1.1}]')),
      [],
    );
  });
});

describe('the name of the node', () => {
  const on = (node: string) => web + slice(ipv4('10.244.1.1', node));

  it('is found out where it differs from that of endpoints by domain only', async () => {
    assert.deepEqual(await found(on('n1.example.com'), '--node', 'n1'), [
      'K8N503 -: rules are for a node named n1, and what is on n1.example.com counts as remote (endpoints and Pods: 1)',
    ]);
    assert.equal((await found(on('n1'), '--node', 'n1.example.com')).length, 1);
  });

  it('is right where a Node or an endpoint has it, and unlike where only numbers agree', async () => {
    assert.deepEqual(await found(on('n1'), '--node', 'n1'), []);
    assert.deepEqual(await found(on('n2'), '--node', 'n1'), []);
    assert.deepEqual(await found(on('n1.a.example'), '--node', 'n1.b.example'), []);
    assert.deepEqual(await found(on('10.0.0.1'), '--node', '10.0.0.2'), []);
    const node = '\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---';
    assert.deepEqual(await found(on('n1.example.com') + node, '--node', 'n1'), []);
  });
});

describe('clusterCIDR', () => {
  const node = (name: string, range: string) => `
apiVersion: v1
kind: Node
metadata: {name: ${name}}
spec: {podCIDR: ${range}}
---`;

  it('must hold the podCIDR of every Node', async () => {
    const nodes = node('n1', '10.244.0.0/24') + node('n2', '10.245.1.0/24') + node('n3', '10.245.2.0/24');
    const args = ['--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];
    assert.deepEqual(await found(web + nodes, ...args), [
      'K8N402 -: clusterCIDR 10.244.0.0/16 leaves out 10.245.1.0/24 of Node n2 and those of 1 more',
    ]);
    assert.deepEqual(await found(web + node('n1', '10.244.0.0/16'), ...args), []);
    assert.deepEqual(await found(web + node('n1', 'fd00:244::/64'), ...args), []);
    assert.deepEqual(await found(web + nodes, '--node', 'n1', '--detect-local-mode', 'NodeCIDR'), []);
  });
});
