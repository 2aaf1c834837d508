import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectFacts } from '../../src/findings/checks/objectFacts.ts';
import { serviceChecks } from '../../src/findings/checks/services/serviceChecks.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { compileText } from '../support/compileText.ts';

const service = (spec: string, annotations = '', status = '') => `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, annotations: {${annotations}}}
spec: {clusterIP: 10.96.0.1, ports: [{name: http, port: 80}], ${spec}}
${status}
---`;

const slice = (endpoints: string, more = '') => `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web${more}}}
addressType: IPv4
ports: [{name: http, port: 8080}]
endpoints: [${endpoints}]
---`;

const pod = (labels: string, status: string) => `
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: shop, labels: {${labels}}}
spec: {nodeName: n1, containers: [{name: c}]}
status: {${status}}
---`;

async function found(id: string, yaml: string, ...args: readonly string[]): Promise<readonly Finding[]> {
  const { compiled, manifests } = await compileText(yaml, '--node', 'n1', '--family', 'ipv4', ...args);
  const { emptyPorts } = objectFacts(manifests, compiled.model);
  return compiled.plans
    .flatMap((plan) => serviceChecks(plan, compiled.model.node, emptyPorts))
    .filter((finding) => finding.code === id);
}

async function seen(id: string, yaml: string, ...args: readonly string[]): Promise<readonly string[]> {
  return (await found(id, yaml, ...args)).map((finding) => finding.what);
}

describe('why a Service has no endpoints', () => {
  const selecting = service('selector: {app: web}');
  const reason = async (yaml: string) => (await seen('K8N501', yaml)).map((text) => text.replace(/^.*refused: /, ''));

  it('is told from slices', async () => {
    const wrong = slice('{addresses: [10.244.1.1]}').replace('name: http', 'name: web');
    assert.deepEqual(await reason(selecting + wrong), [
      'its EndpointSlices have endpoints, but no port of this name and protocol',
    ]);
    const names = slice('{addresses: [a.example]}').replace('IPv4', 'FQDN');
    assert.deepEqual(await reason(selecting + names), ['its EndpointSlices hold other kinds of addresses only']);
    assert.deepEqual(await reason(selecting + slice('')), ['its EndpointSlices are empty']);
    const notReady = slice('{addresses: [10.244.1.1], conditions: {ready: false}}');
    assert.deepEqual(await seen('K8N501', selecting + notReady), [
      'its only endpoint is not ready: traffic is refused',
    ]);
    assert.deepEqual(await reason(selecting + slice('{addresses: [10.244.1.1]}')), []);
  });

  it('is told from Pods', async () => {
    assert.deepEqual(await reason(service('')), ['it has no selector, and no endpoints were created for it']);
    assert.deepEqual(await reason(selecting), ['no EndpointSlices or Pods were given']);
    assert.deepEqual(await reason(selecting + pod('app: other', 'podIP: 10.244.1.1')), ['its selector selects no Pod']);
    const pending = pod('app: web', 'phase: Pending');
    assert.deepEqual(await reason(selecting + pending), ['the Pod that it selects has no address']);
    const ended = pod('app: web', 'phase: Succeeded, podIP: 10.244.1.1');
    assert.deepEqual(await reason(selecting + ended), ['the Pod that it selects has ended']);
    const named = service('selector: {app: web}').replace('port: 80', 'port: 80, targetPort: http');
    assert.deepEqual(await reason(named + pod('app: web', 'podIP: 10.244.1.1')), [
      'the Pod that it selects has no such port, or no address of this family',
    ]);
    const running = pod('app: web', 'podIP: 10.244.1.1');
    assert.deepEqual(await reason(selecting + slice('') + running), [
      'its EndpointSlices are empty, although it selects Pods',
    ]);
  });
});

describe('hints that are not used', () => {
  const auto = 'service.kubernetes.io/topology-mode: Auto';
  const hinted = (ip: string, zone: string) => `{addresses: [${ip}], hints: {forZones: [{name: ${zone}}]}}`;
  const both = slice(`${hinted('10.244.1.1', 'a')}, ${hinted('10.244.2.1', 'b')}`);
  const node = (zone: string) => `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {${zone && `topology.kubernetes.io/zone: ${zone}`}}}
---`;
  const hints = (annotation: string, zone: string, slices = both) =>
    seen('K8N307', service('', annotation) + node(zone) + slices, '--kube-version', '1.30');

  it('are told with the reason', async () => {
    assert.deepEqual(await hints(auto, 'a'), []);
    assert.deepEqual(await hints(auto, ''), ['hints are not used: the node has no label topology.kubernetes.io/zone']);
    assert.deepEqual(await hints(auto, 'c'), ['hints are not used: none of 2 ready endpoints is for zone c']);
    const bare = slice(`${hinted('10.244.1.1', 'a')}, {addresses: [10.244.2.1]}`);
    assert.deepEqual(await hints(auto, 'a', bare), ['hints are not used: 1 of 2 ready endpoints has none']);
    assert.deepEqual(await hints('', 'a'), [
      'hints are not used: this version of kube-proxy wants the Service to ask for them by annotation',
    ]);
    assert.deepEqual(await hints('', 'a', slice('{addresses: [10.244.1.1]}, {addresses: [10.244.2.1]}')), []);
  });
});

describe('what to do about them', () => {
  it('fits the reason', async () => {
    const hinted =
      '{addresses: [10.244.1.1], hints: {forZones: [{name: a}]}}, {addresses: [10.244.1.2], hints: {forZones: [{name: a}]}}';
    const fix = async (annotation: string, labels: string) => {
      const node = `\napiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {${labels}}}\n---`;
      const [one] = await found('K8N307', service('', annotation) + node + slice(hinted), '--kube-version', '1.30');
      return one?.fix ?? '';
    };
    assert.match(
      await fix('', 'topology.kubernetes.io/zone: a'),
      /annotate service NAME service\.kubernetes\.io\/topology-mode=Auto/,
    );
    const auto = 'service.kubernetes.io/topology-mode: Auto';
    assert.match(await fix(auto, ''), /kubectl label node NODE/);
    assert.match(await fix(auto, 'topology.kubernetes.io/zone: c'), /run Pods in this zone/);
  });
});

describe('limits of affinity and source ranges', () => {
  const one = slice('{addresses: [10.244.1.1]}');

  it('are that each port remembers by itself, and each node', async () => {
    const affinity = 'sessionAffinity: ClientIP';
    assert.deepEqual(await seen('K8N305', service(affinity) + one), []);
    const two = service(affinity).replace('port: 80}', 'port: 80}, {name: other, port: 81}');
    const said = await seen('K8N305', two + one);
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /^each of 2 ports remembers/);
    const [outside] = await seen('K8N305', service(`${affinity}, externalIPs: [192.0.2.1]`) + one);
    assert.match(outside ?? '', /^each node remembers/);
    const local = service(`${affinity}, externalIPs: [192.0.2.1], externalTrafficPolicy: Local`);
    assert.deepEqual(await seen('K8N305', local + one), []);
  });

  it('are that the node is shut out, and that node ports stay open', async () => {
    const status = 'status: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}';
    const ranges = (list: string, ...args: readonly string[]) =>
      seen(
        'K8N506',
        service(
          `type: LoadBalancer, allocateLoadBalancerNodePorts: false, loadBalancerSourceRanges: [${list}]`,
          '',
          status,
        ) + one,
        '--node-ip',
        '10.0.0.1',
        '--no-allocate',
        ...args,
      );
    assert.deepEqual(await ranges('203.0.113.0/24'), [
      'source ranges: the node itself (10.0.0.1) cannot use the load balancer’s addresses',
    ]);
    assert.deepEqual(await ranges('10.0.0.0/8'), []);
    const pods = ['--cluster-cidr', '10.244.0.0/16'];
    assert.deepEqual(await ranges('10.0.0.0/24', ...pods), [
      'source ranges: Pods (10.244.0.0/16) cannot use the load balancer’s addresses',
    ]);
    assert.deepEqual(await ranges('10.0.0.0/24, 10.244.0.0/16', ...pods), []);
    assert.deepEqual(await ranges('10.0.0.0/8', ...pods), []);
  });
});

it('says that only terminating endpoints are left', async () => {
  const leaving = '{addresses: [10.244.1.1], conditions: {ready: false, serving: true, terminating: true}}';
  assert.deepEqual(await seen('K8N306', service('') + slice(leaving)), ['the only endpoint in use is terminating']);
  assert.deepEqual(await seen('K8N306', service('') + slice(`${leaving}, {addresses: [10.244.1.2]}`)), []);
});
