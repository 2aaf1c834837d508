import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { modeChecks } from '../../src/findings/checks/chains/modeChecks.ts';
import { compileCase } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';

const service = (spec: string, status = '') => `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {clusterIP: 10.96.0.1, ports: [{port: 80${spec.startsWith('type') ? ', nodePort: 30080' : ''}}], ${spec}}
${status}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{port: 8080}]
endpoints: [{addresses: [10.244.1.1], nodeName: n1}]
`;

const nodePort = service('type: NodePort');
const balanced = service(
  'type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30081',
  'status: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}',
);
const node = ['--family', 'ipv4', '--node-ip', '10.0.0.1', '--node-address', '10.0.9.1/24'];

async function ids(yaml: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { compiled } = await compileText(yaml, ...node, ...args);
  const findings = compiled.plans.flatMap((plan) => modeChecks(compiled, plan));
  assert.ok(findings.every(({ isAdvice }) => isAdvice));
  return findings.map(({ code, what }) => `${code} ${what}`);
}

describe('what a mode and its settings mean for Services', () => {
  it('says where node ports do not answer, if they were limited', async () => {
    assert.deepEqual(await ids(nodePort, '--mode', 'iptables'), []);
    assert.deepEqual(await ids(nodePort, '--mode', 'iptables', '--nodeport-addresses', '10.0.0.0/24'), [
      'K8N507 node ports answer on 10.0.0.1, and not on 127.0.0.1, 10.0.9.1 of this node',
    ]);
    assert.deepEqual(await ids(nodePort, '--mode', 'ipvs', '--nodeport-addresses', '192.0.2.0/24'), [
      'K8N507 nodePortAddresses holds no ipv4 address of this node: no node port answers',
    ]);
    for (const mode of ['ipvs', 'nftables'])
      assert.deepEqual((await ids(nodePort, '--mode', mode, '--nodeport-addresses', '127.0.0.0/8')).slice(0, 1), [
        'K8N507 nodePortAddresses holds no ipv4 address of this node but loopback: no node port answers',
      ]);
    assert.deepEqual(await ids(service(''), '--mode', 'iptables', '--nodeport-addresses', '10.0.0.0/24'), []);
  });

  it('says that node ports do not answer on loopback, if that was chosen', async () => {
    const { compiled } = await compileCase('services/nodeport-localhost-off', '--mode', 'iptables');
    assert.ok(compiled);
    const findings = compiled.plans.flatMap((plan) => modeChecks(compiled, plan));
    assert.deepEqual(
      findings.map(({ what }) => what),
      ['node ports do not answer on 127.0.0.1'],
    );
  });

  it('says how long affinity lasts in IPVS mode', async () => {
    const [said, ...rest] = await ids(service('type: NodePort, sessionAffinity: ClientIP'), '--mode', 'ipvs');
    assert.match(said ?? '', /^K8N705 a client keeps its endpoint for 10800 seconds after/);
    assert.deepEqual(rest, []);
    assert.deepEqual(await ids(service('sessionAffinity: ClientIP'), '--mode', 'iptables'), []);
  });

  it('says what nftables mode does otherwise', async () => {
    const said = await ids(nodePort, '--mode', 'nftables');
    assert.deepEqual(
      said.map((text) => text.slice(0, 6)),
      ['K8N802', 'K8N803'],
    );
    assert.match(said[0] as string, /on 10\.0\.0\.1 only, not on 127\.0\.0\.1, 10\.0\.9\.1$/);
    const limited = await ids(nodePort, '--mode', 'nftables', '--nodeport-addresses', '10.0.0.0/8');
    assert.deepEqual(
      limited.map((text) => text.slice(0, 6)),
      ['K8N507', 'K8N803'],
    );
  });

  it('says of 1.29 that it does as iptables mode', async () => {
    assert.deepEqual(await ids(nodePort, '--mode', 'nftables', '--kube-version', '1.29'), []);
    assert.deepEqual(
      (await ids(nodePort, '--mode', 'nftables', '--kube-version', '1.36')).map((text) => text.slice(0, 6)),
      ['K8N802', 'K8N803'],
    );
  });

  it('says what policy Local drops in nftables mode where no endpoint is here', async () => {
    const here = await ids(balanced, '--mode', 'nftables', '--node', 'n1');
    assert.ok(!here.some((text) => text.startsWith('K8N801')));
    const elsewhere = await ids(balanced, '--mode', 'nftables', '--node', 'n2', '--kube-version', '1.30');
    assert.ok(elsewhere.some((text) => text.startsWith('K8N801') && text.includes('192.0.2.7')));
    for (const version of ['1.29', '1.33.5', '1.33.6', '1.36']) {
      const said = await ids(balanced, '--mode', 'nftables', '--node', 'n2', '--kube-version', version);
      const isDropped = version === '1.29' || version === '1.33.5';
      assert.equal(
        said.some((text) => text.startsWith('K8N801')),
        isDropped,
        version,
      );
    }
    const iptables = await ids(balanced, '--mode', 'iptables', '--node', 'n2');
    assert.deepEqual(iptables, []);
  });

  it('says what policy Local refuses in IPVS mode of 1.26 to 1.29', async () => {
    const external = service('type: NodePort, externalTrafficPolicy: Local, externalIPs: [192.0.2.7, 10.0.9.1]');
    const of = async (yaml: string, version: string) =>
      (await ids(yaml, '--mode', 'ipvs', '--kube-version', version)).filter((text) => text.startsWith('K8N708'));
    const refused = (ips: string) => [`K8N708 policy Local: what comes to ${ips} from elsewhere is refused`];
    assert.deepEqual(await of(external, '1.25'), []);
    assert.deepEqual(await of(external, '1.26'), refused('192.0.2.7, 10.0.9.1'));
    // Since 1.28 an address of the node is not on kube-ipvs0.
    assert.deepEqual(await of(external, '1.29'), refused('192.0.2.7'));
    assert.deepEqual(await of(external, '1.30'), []);
    assert.deepEqual(await of(external.replace('Local', 'Cluster'), '1.27'), []);
    assert.deepEqual(await of(balanced, '1.27'), []);
  });
});
