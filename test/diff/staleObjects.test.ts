import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { isVoid } from '../../src/findings/explain/voids/isVoid.ts';
import { linesOf } from '../../src/node/lines/chainLines.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { compileText } from '../support/compileText.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';
import { twoNodes, webOnBoth } from '../support/twoNodes.ts';
import { diffText } from './diffCase.ts';

/**
 * Objects were changed, and the node has the rules of their earlier state: one finding for each Service port says what
 * is stale. What else differs in its chains follows from that, and has no words of its own.
 */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-stale-'));
after(() => rmSync(folder, { recursive: true }));

const web = '[{addresses: [10.244.1.10], nodeName: n1}, {addresses: [10.244.2.10], nodeName: n2}]';
const lb = '[{addresses: [10.244.1.11], nodeName: n1}, {addresses: [10.244.2.11], nodeName: n2}]';
const webPort = '{name: http, protocol: TCP, port: 8080}, {name: metrics, protocol: TCP, port: 9090}';

const objects = `${twoNodes}${webOnBoth}---
apiVersion: v1
kind: Service
metadata: {name: lb, namespace: shop}
spec: {type: LoadBalancer, clusterIP: 10.96.0.11, externalTrafficPolicy: Local, healthCheckNodePort: 30111, loadBalancerSourceRanges: [198.51.100.0/24], externalIPs: [203.0.113.11], ports: [{name: http, port: 80, nodePort: 30081}]}
status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: lb-1, namespace: shop, labels: {kubernetes.io/service-name: lb}}
addressType: IPv4
endpoints: ${lb}
ports: [{name: http, protocol: TCP, port: 8080}]
---
apiVersion: v1
kind: Service
metadata: {name: half, namespace: shop}
spec: {clusterIP: 10.96.0.12, sessionAffinity: ClientIP, ports: [{name: http, port: 80}, {name: admin, port: 8443}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: half-1, namespace: shop, labels: {kubernetes.io/service-name: half}}
addressType: IPv4
endpoints: [{addresses: [10.244.2.12], nodeName: n2}]
ports: [{name: http, protocol: TCP, port: 8081}]
`;

const without = (name: string) => (text: string) =>
  text
    .split('---\n')
    .filter((part) => !part.includes(`{name: ${name}`))
    .join('---\n');

const put = (from: string, to: string) => (text: string) => text.replace(from, to);

const unready = (address: string, node: string) =>
  put(
    `{addresses: [${address}], nodeName: ${node}}`,
    `{addresses: [${address}], nodeName: ${node}, conditions: {ready: false}}`,
  );

const fresh = `---
apiVersion: v1
kind: Service
metadata: {name: fresh, namespace: shop}
spec: {clusterIP: 10.96.0.20, ports: [{port: 80}]}
`;

const freshSlice = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: fresh-1, namespace: shop, labels: {kubernetes.io/service-name: fresh}}
addressType: IPv4
endpoints: [{addresses: [10.244.1.20], nodeName: n1}]
ports: [{name: "", protocol: TCP, port: 8082}]
`;

const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['an endpoint more', put(web, web.replace('[{', '[{addresses: [10.244.1.13], nodeName: n1}, {'))],
  ['an endpoint less', put(web, web.replace(/\{.*?\}, /, ''))],
  ['an endpoint has moved', put('10.244.1.10', '10.244.1.13')],
  ['an endpoint is not ready', unready('10.244.1.10', 'n1')],
  ['no endpoint is ready', (text) => unready('10.244.2.10', 'n2')(unready('10.244.1.10', 'n1')(text))],
  ['no endpoints', put(web, '[]')],
  ['no endpoints behind source ranges', put(lb, '[]')],
  ['no endpoint on the node, policy Local', put(lb, lb.replace(/\{.*?\}, /, ''))],
  ['a first endpoint', put('port: 8081}]', 'port: 8081}, {name: admin, protocol: TCP, port: 8443}]')],
  ['another target port', put(webPort, webPort.replace('8080', '8083'))],
  ['endpoints of another port name', put(webPort, webPort.replace('name: http', 'name: www'))],
  ['another port', put('{name: http, port: 80, nodePort: 30080}', '{name: http, port: 81, nodePort: 30080}')],
  ['another node port', put('30080', '30099')],
  ['another cluster IP', put('10.96.0.10', '10.96.0.30')],
  ['no node ports', (text) => text.replace('type: NodePort, ', '').replace(/, nodePort: 300[89]0/g, '')],
  ['no Service', without('web')],
  ['another name of the Service', (text) => text.replaceAll('name: web', 'name: shop')],
  [
    'another name of a port',
    (text) =>
      put(
        '{name: http, port: 80, nodePort: 30080}',
        '{name: www, port: 80, nodePort: 30080}',
      )(put(webPort, webPort.replace('name: http', 'name: www'))(text)),
  ],
  ['a new Service', (text) => `${text}${fresh}${freshSlice}`],
  ['a new Service without endpoints', (text) => `${text}${fresh}`],
  ['external policy Local', put('type: NodePort,', 'type: NodePort, externalTrafficPolicy: Local,')],
  ['external policy Cluster', put('externalTrafficPolicy: Local, healthCheckNodePort: 30111, ', '')],
  ['internal policy Local', put('type: NodePort,', 'type: NodePort, internalTrafficPolicy: Local,')],
  ['affinity', put('type: NodePort,', 'type: NodePort, sessionAffinity: ClientIP,')],
  ['no affinity', put('sessionAffinity: ClientIP, ', '')],
  ['other source ranges', put('198.51.100.0/24', '192.0.2.0/24')],
  ['no source ranges', put('loadBalancerSourceRanges: [198.51.100.0/24], ', '')],
  ['another load-balancer IP', put('203.0.113.10', '203.0.113.12')],
  ['no load-balancer IP', put('{loadBalancer: {ingress: [{ip: 203.0.113.10}]}}', '{loadBalancer: {}}')],
  ['no external IP', put('externalIPs: [203.0.113.11], ', '')],
];

const nodes: readonly (readonly [name: string, mode: string, version: string])[] = [
  ['iptables', 'iptables', '1.36'],
  ['iptables-1.18', 'iptables', '1.18'],
  ['nftables', 'nftables', '1.36'],
  ['nftables-1.31', 'nftables', '1.31'],
  ['ipvs', 'ipvs', '1.34'],
];

describe('findings where objects are newer than the rules', () => {
  for (const [name, mode, version] of nodes) {
    it(`name what is stale: ${name}`, async () => {
      const settings = settingsOf(mode, version);
      const files = filesOf(name, settings);
      const healthy = await said(objects, settings, files);
      let text = '';
      for (const [what, change] of changes) {
        const now = change(objects);
        assert.notEqual(now, objects, what);
        const lines = (await said(now, settings, files)).filter((line) => !healthy.includes(line));
        text += `${what}\n${lines.map((line) => `  ${line}\n`).join('')}`;
        assert.ok(!lines.some((line) => line.startsWith('K8N210')), `${what}: old rules may be deleted`);
      }
      assertGolden(`diff/stale/${name}.txt`, text);
    });

    it(`hide no difference of two changes: ${name}`, async () => {
      const settings = settingsOf(mode, version);
      const files = filesOf(name, settings);
      for (const [at, [what, change]] of changes.entries()) {
        const [other, second] = changes[(at * 7 + 3) % changes.length] ?? [];
        const {
          findings,
          changes: unexplained,
          chains = [],
        } = await reported(second?.(change(objects)) ?? '', settings, files);
        const shown = [...findings.flatMap(({ rules = [] }) => rules), ...unexplained];
        const lines = new Set(shown.flatMap(({ expected, found }) => [expected, found]));
        // What leads to a lost chain, or no longer leads to one, is told instead of the chain.
        for (const diff of chains.filter((one) => !isVoid(one))) {
          for (const line of diff.missing.map((one) => linesOf(diff.expected)[one]))
            assert.ok(lines.has(line), `${what}, ${other}: ${line} is missing in ${diff.chain}`);
          for (const line of diff.extra.map((one) => linesOf(diff.found)[one]))
            assert.ok(lines.has(line), `${what}, ${other}: ${line} is too many in ${diff.chain}`);
        }
      }
    });
  }
});

describe('the report of stale rules', () => {
  const settings = settingsOf('iptables', '1.36');
  const report = (what: string, ...more: readonly string[]) => {
    const change = changes.find(([name]) => name === what)?.[1];
    assert.ok(change);
    const [manifests, rules] = [join(folder, 'now.yaml'), join(folder, 'rules.save')];
    writeFileSync(manifests, change(objects));
    writeFileSync(rules, filesOf('report', settings)[0]?.text ?? '');
    return runCli(['diff', '-f', manifests, ...settings, ...more, rules]).stdout;
  };

  it('shows under a finding the rules of other chains that follow from it', () => {
    const [, own = ''] = /shop\/web:http\n([\s\S]*?)\n\n/.exec(report('no endpoints')) ?? [];
    assert.match(own, /nat KUBE-SERVICES\n.*\+ -d 10\.96\.0\.10\/32/);
    assert.match(own, /nat KUBE-NODEPORTS\n.*\+ .*--dport 30080/);
    assert.match(own, /filter KUBE-SERVICES\n.*- -d 10\.96\.0\.10\/32 .* -j REJECT/);
    assert.equal(own.match(/error K8N\d+/g)?.length, 1);
  });

  it('pairs a rule with the one that leads to the same endpoint', () => {
    const text = report('an endpoint more');
    assert.match(text, /~ .*10\.244\.1\.10:8080.*\[-0\.33333333349-\] \{\+0\.50000000000\+\}/);
    assert.match(text, /- .*10\.244\.1\.13:8080/);
  });

  it('has what is left of a Service where one Service is asked for', () => {
    const left = report('no node ports', '--service', 'shop/web');
    assert.equal(left.match(/K8N202 /g)?.length, 2);
    assert.match(
      left,
      /why kube-proxy lost an update of shop\/web, which does not have this address and port any more/,
    );
    assert.doesNotMatch(report('no node ports', '--service', 'shop/lb'), /K8N202/);
  });
});

function settingsOf(mode: string, version: string): readonly string[] {
  return ['--mode', mode, '--kube-version', version, '--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];
}

/** The rules of the objects as tools print them. */
function filesOf(name: string, settings: readonly string[]): readonly DumpFile[] {
  const [manifests, target] = [join(folder, 'objects.yaml'), join(folder, name)];
  writeFileSync(manifests, objects);
  const { status, stderr } = runCli(['compile', '-f', manifests, ...settings, '--family', 'ipv4', '--out-dir', target]);
  assert.equal(status, 0, stderr);
  const shown = readdirSync(target).filter((file) => file.endsWith('.save'));
  return shown.map((file) => ({ name: file, text: readFileSync(join(target, file), 'utf8') }));
}

async function reported(text: string, settings: readonly string[], files: readonly DumpFile[]): Promise<DiffReport> {
  const { compiled } = await compileText(text, ...settings, '--family', 'ipv4');
  return diffText(
    compiled,
    files.map((file) => file.text),
    'ipv4',
  );
}

async function said(text: string, settings: readonly string[], files: readonly DumpFile[]): Promise<readonly string[]> {
  const { findings } = await reported(text, settings, files);
  return findings
    .filter(({ isAdvice }) => !isAdvice)
    .map(({ code, severity, service, what, why }) => `${code} ${severity} ${service ?? 'the node'}: ${what}: ${why}`);
}
