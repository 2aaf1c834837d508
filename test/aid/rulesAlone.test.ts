import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Somebody has what one node shows, and asks for a Service by its name: the rules are all there is. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-rules-alone-'));
after(() => rmSync(folder, { recursive: true }));

const service = (name: string, spec: string, status = '') => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {${spec}}
${status}
---`;
const slice = (name: string, family: 'IPv4' | 'IPv6', address: string, node: string, port = 'http') => `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-${family.toLowerCase()}, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: ${family}
endpoints: [{addresses: ["${address}"], nodeName: ${node}}]
ports: [{name: ${port}, protocol: TCP, port: 8080}]
---`;
const node = `
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {podCIDRs: [10.244.1.0/24, "fd00:10:1::/64"]}
status: {addresses: [{type: InternalIP, address: 192.168.7.1}, {type: InternalIP, address: "fd00:7::1"}]}
---`;
const both = 'ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6]';

const objects = [
  node,
  service(
    'gone',
    'type: NodePort, clusterIP: 10.96.0.1, externalIPs: [203.0.113.1], ports: [{name: http, port: 80, nodePort: 30001}]',
  ),
  service('half', 'clusterIP: 10.96.0.2, ports: [{name: http, port: 80}, {name: admin, port: 81}]'),
  slice('half', 'IPv4', '10.244.1.2', 'n1'),
  service(
    'six',
    `clusterIP: 10.96.0.3, clusterIPs: [10.96.0.3, "fd00:96::3"], ${both}, ports: [{name: http, port: 80}]`,
  ),
  slice('six', 'IPv6', 'fd00:10:1::3', 'n1'),
  service('away', 'clusterIP: 10.96.0.4, internalTrafficPolicy: Local, ports: [{name: http, port: 80}]'),
  slice('away', 'IPv4', '10.244.2.4', 'n2'),
  service('served', 'type: NodePort, clusterIP: 10.96.0.5, ports: [{name: http, port: 80, nodePort: 30005}]'),
  slice('served', 'IPv4', '10.244.1.5', 'n1'),
  service(
    'narrow',
    'type: LoadBalancer, clusterIP: 10.96.0.6, loadBalancerSourceRanges: [198.51.100.0/24], ports: [{name: http, port: 80, nodePort: 30006}]',
    'status: {loadBalancer: {ingress: [{ip: 203.0.113.6}]}}',
  ),
  slice('narrow', 'IPv4', '10.244.1.6', 'n1'),
].join('\n');

interface Page {
  readonly verdict: string;
  readonly causes: readonly { readonly id: string; readonly sentence: string }[];
  readonly remarks: readonly { readonly text: string }[];
}

/** What a healthy node of the version shows in both families, as a file that it prints. */
function dump(mode: string, version: string, further = ''): string {
  const file = join(folder, `${mode}-${version}${further === '' ? '' : '-further'}.txt`);
  const config = join(folder, 'config.yaml');
  writeFileSync(config, `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${further}`);
  const target = [
    '--mode',
    mode,
    '--kube-version',
    version,
    '--node',
    'n1',
    '--config',
    config,
    '--node-address',
    '172.31.0.1/24',
  ];
  const texts = ['ipv4', 'ipv6'].map((family) => {
    const { status, stdout, stderr } = runCli(['compile', '-f', '-', ...target, '--family', family, '-q'], {
      input: objects,
    });
    assert.equal(status, 0, stderr);
    return stdout;
  });
  writeFileSync(file, texts.join('\n'));
  return file;
}

function check(service: string, ...args: readonly string[]): Page & { readonly status: number | null } {
  const { status, stdout, stderr } = runCli(['check-service', service, ...args, '-o', 'json']);
  assert.notEqual(stdout, '', stderr);
  return { ...(JSON.parse(stdout) as Page), status };
}

for (const [mode, versions] of [
  ['iptables', ['1.24', '1.36']],
  ['nftables', ['1.31', '1.33', '1.36']],
] as const) {
  for (const version of versions) {
    describe(`check-service with the rules of ${mode} ${version} alone`, () => {
      const file = dump(mode, version);
      const said = (name: string) => {
        const { verdict, causes } = check(name, file);
        return [verdict, ...causes.map(({ id, sentence }) => `${id}: ${sentence.replace(/, as the rules .*/, '')}`)];
      };

      it('finds a Service without endpoints, at all of its addresses', () => {
        assert.deepEqual(said('shop/gone'), ['broken', 'no-endpoints: Service shop/gone has no IPv4 endpoints']);
        assert.deepEqual(said('shop/gone:80'), ['broken', 'no-endpoints: Service shop/gone has no IPv4 endpoints']);
      });

      it('finds the port without endpoints', () => {
        const sentence = 'no-endpoints: Service shop/half has no IPv4 endpoints for port admin';
        assert.deepEqual(said('shop/half'), ['broken', sentence]);
        assert.deepEqual(said('shop/half:http'), ['in-order']);
        assert.deepEqual(said('shop/half:80'), ['in-order']);
      });

      it('finds nothing wrong with endpoints of one family, or of other nodes alone', () => {
        assert.deepEqual(said('shop/six'), ['in-order']);
        assert.deepEqual(said('shop/away'), ['in-order']);
        assert.deepEqual(said('shop/served'), ['in-order']);
      });

      it('takes node ports for open where the rules have them', () => {
        for (const range of ['172.31.0.0/24', '127.0.0.0/8']) {
          const { verdict, causes } = check('shop/served', dump(mode, version, `nodePortAddresses: [${range}]\n`));
          assert.equal(verdict, 'in-order', `${range} ${JSON.stringify(causes)}`);
        }
      });

      it('says once that no sender is in the source ranges', () => {
        const { verdict, remarks } = check('shop/narrow', file);
        assert.equal(verdict, 'in-order');
        const about = remarks.filter(({ text }) => text.includes('203.0.113.6:80'));
        assert.equal(about.length, 1, JSON.stringify(remarks));
        assert.match(about[0]?.text ?? '', /: packets from .*the node, outside to 203\.0\.113\.6:80\/tcp: /);
      });

      it('leaves open what it did not look at', () => {
        const { verdict, status } = check('shop/unheard-of', file);
        assert.deepEqual([verdict, status], ['unknown', 3]);
      });

      it('why finds it by its name, from the node too', () => {
        for (const to of ['shop/gone:80', '203.0.113.1:80']) {
          const { status, stdout } = runCli(['why', '--from', 'node', '--to', to, file]);
          assert.match(stdout, /^\S+:80\/tcp has no endpoints: /, to);
          assert.equal(status, 1);
        }
      });
    });
  }
}

describe('check-service with rules that refuse alike for lack of any endpoint and of one here', () => {
  for (const [mode, version] of [
    ['iptables', '1.22'],
    ['iptables', '1.23'],
  ] as const) {
    it(`leaves open which it is: ${mode} ${version}`, () => {
      const { verdict, causes } = check('shop/away', dump(mode, version));
      assert.equal(verdict, 'unknown');
      assert.match(causes[0]?.sentence ?? '', /It may have some on other nodes/);
    });
  }
});

describe('check-service of a Service whose endpoints are all going away', () => {
  const terminating = `${objects}
${service('leaving', 'clusterIP: 10.96.0.7, ports: [{name: http, port: 80}]')}
${slice('leaving', 'IPv4', '10.244.1.7', 'n1').replace('nodeName: n1', 'nodeName: n1, conditions: {ready: false, serving: true, terminating: true}')}`;
  const file = join(folder, 'leaving.yaml');
  writeFileSync(file, terminating);

  for (const [version, expected] of [
    ['1.21', 'broken'],
    ['1.25', 'broken'],
    ['1.26', 'in-order'],
    ['1.36', 'in-order'],
  ] as const) {
    it(`is ${expected} in ${version}, with objects and with the rules alone`, () => {
      const target = ['-f', file, '--node', 'n1', '--kube-version', version];
      const rules = join(folder, `leaving-${version}.txt`);
      writeFileSync(rules, runCli(['compile', '-q', ...target]).stdout);
      assert.equal(check('shop/leaving', ...target, rules).verdict, expected);
      assert.equal(check('shop/leaving', ...target).verdict, expected);
      assert.equal(check('shop/leaving', rules).verdict, expected);
    });
  }
});

describe('check-service without a slice of the Service', () => {
  const cluster = `${objects}
${service('kubernetes', 'clusterIP: 10.96.0.99, ports: [{name: https, port: 443}]').replace('namespace: shop', 'namespace: default')}
${slice('kubernetes', 'IPv4', '192.168.7.9', 'n0', 'https').replace('namespace: shop', 'namespace: default')}`;
  const input = (text: string) => {
    const file = join(folder, 'objects.yaml');
    writeFileSync(file, text);
    return check('shop/gone', '-f', file);
  };

  it('knows that there are none where the objects have all slices', () => {
    const { verdict, causes } = input(cluster);
    assert.deepEqual([verdict, causes.map(({ id }) => id)], ['broken', ['no-endpoints']]);
  });

  it('does not know it where one that the control plane makes is not among them', () => {
    const unlisted = service('unlisted', 'clusterIP: 10.96.0.7, selector: {app: x}, ports: [{name: http, port: 80}]');
    for (const text of [objects, `${cluster}${unlisted}`]) assert.equal(input(text).verdict, 'unknown');
  });

  it('takes it from the rules of a node there', () => {
    const file = join(folder, 'some.yaml');
    writeFileSync(file, objects);
    const { verdict, causes } = check('shop/gone', '-f', file, '--node', 'n1', dump('iptables', '1.36'));
    assert.deepEqual([verdict, causes.map(({ id }) => id)], ['broken', ['no-endpoints']]);
  });
});

describe('an address with ipMode Proxy', () => {
  it('is left to the load balancer: nothing is wrong with the node, and what the balancer does is unknown', () => {
    const ingress = 'status: {loadBalancer: {ingress: [{ip: 203.0.113.9, ipMode: Proxy}]}}';
    const file = join(folder, 'balanced.yaml');
    const spec = 'type: LoadBalancer, clusterIP: 10.96.0.9, ports: [{name: http, port: 80, nodePort: 30009}]';
    writeFileSync(file, node + service('balanced', spec, ingress) + slice('balanced', 'IPv4', '10.244.1.9', 'n1'));
    const target = ['--node', 'n1', '--mode', 'iptables'];
    for (const [version, status, said] of [
      ['1.36', 3, /^Unknown: The load balancer of shop\/balanced:http has ipMode Proxy/],
      ['1.28', 0, /^all is well|arrives/],
    ] as const) {
      const rules = join(folder, 'balanced.txt');
      const compiled = runCli(['compile', '-f', file, ...target, '--kube-version', version, '-q']);
      writeFileSync(rules, compiled.stdout);
      const packet = ['--from', '10.244.1.77', '--to', '203.0.113.9:80'];
      const why = runCli(['why', ...packet, '-f', file, ...target, '--kube-version', version, rules]);
      assert.match(why.stdout, said);
      assert.equal(why.status, status);
    }
  });
});
