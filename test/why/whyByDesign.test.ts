import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { twoNodes } from '../support/twoNodes.ts';

/** What the rules of a healthy node do not let through, each version in its own way: nothing was lost, and no restart helps. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-by-design-'));
after(() => rmSync(folder, { recursive: true }));

const objects = join(folder, 'objects.yaml');
writeFileSync(
  objects,
  `${twoNodes}${service('narrow', 6, 'type: LoadBalancer, loadBalancerSourceRanges: [198.51.100.0/24]', 'loadBalancer: {ingress: [{ip: 203.0.113.6}]}')}
${slice('narrow', '10.244.1.6', 'n1')}
${service('away', 7, 'type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30107', 'loadBalancer: {ingress: [{ip: 203.0.113.7}]}')}
${slice('away', '10.244.2.7', 'n2')}
${service('outer', 8, 'type: NodePort, externalIPs: [203.0.113.8]')}
${slice('outer', '10.244.1.8', 'n1')}
${service('kept', 9, 'type: NodePort, externalTrafficPolicy: Local, externalIPs: [203.0.113.9]')}
${slice('kept', '10.244.1.9', 'n1')}
`,
);

function service(name: string, number: number, spec: string, status = ''): string {
  const port = spec.startsWith('type') ? `, nodePort: 3000${number}` : '';
  return `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {clusterIP: 10.96.0.${number}, ports: [{name: http, port: 80${port}}], ${spec}}
status: {${status}}`;
}

function slice(name: string, address: string, node: string): string {
  return `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}-1, namespace: shop, labels: {kubernetes.io/service-name: ${name}}}
addressType: IPv4
endpoints: [{addresses: ["${address}"], nodeName: ${node}}]
ports: [{name: http, protocol: TCP, port: 8080}]`;
}

/** The files of node n1, with what the kubelet of old versions adds to them. */
function nodeOf(
  mode: string,
  version: string,
  further = '',
): { readonly dump: string; readonly target: readonly string[] } {
  const dump = join(folder, `${mode}-${version}${further === '' ? '' : '-further'}`);
  const config = `${dump}.yaml`;
  writeFileSync(
    config,
    `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ${mode}\nclusterCIDR: 10.244.0.0/16\n${further}`,
  );
  const target = ['--node', 'n1', '--kube-version', version, '--config', config];
  const { status, stderr } = runCli(['compile', '-q', '-f', objects, ...target, '--out-dir', dump]);
  assert.equal(status, 0, stderr);
  for (const file of readdirSync(dump)) {
    if (/restore$|\.sh$|\.conf$/.test(file)) rmSync(join(dump, file));
    else if (file === 'iptables.v4.save')
      writeFileSync(join(dump, file), withKubelet(readFileSync(join(dump, file), 'utf8')));
  }
  return { dump, target };
}

function withKubelet(save: string): string {
  const at = save.indexOf('*filter\n');
  const end = save.indexOf('COMMIT', at);
  if (!save.includes('KUBE-MARK-DROP') || save.slice(at, end).includes(':KUBE-FIREWALL ')) return save;
  return `${save.slice(0, at)}*filter
:KUBE-FIREWALL - [0:0]
${save.slice(at + 8, end)}-A INPUT -j KUBE-FIREWALL
-A OUTPUT -j KUBE-FIREWALL
-A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP
${save.slice(end)}`;
}

interface Answer {
  readonly causes: readonly { readonly id: string; readonly sentence: string; readonly fix: string }[];
}

function causeOf(args: readonly string[]): {
  readonly status: number | null;
  readonly id: string;
  readonly text: string;
} {
  const { status, stdout, stderr } = runCli(['why', ...args, '-o', 'json']);
  assert.notEqual(stdout, '', stderr);
  const [first] = (JSON.parse(stdout) as Answer).causes;
  return { status, id: first?.id ?? 'none', text: `${first?.sentence} ${first?.fix}` };
}

const kinds = [
  ...['1.14', '1.20', '1.22', '1.24', '1.25', '1.30', '1.36'].map((version) => ['iptables', version] as const),
  ...['1.20', '1.24', '1.25', '1.30', '1.36'].map((version) => ['ipvs', version] as const),
  ...['1.29', '1.31', '1.36'].map((version) => ['nftables', version] as const),
];

for (const [mode, version] of kinds) {
  describe(`what ${mode} mode of ${version} stops by design`, () => {
    const { dump, target } = nodeOf(mode, version);
    const shows = [[], ['-f', objects, ...target]];

    it('a source in no source range', () => {
      for (const shown of shows) {
        for (const from of sendersStopped(mode, version)) {
          const { status, id, text } = causeOf(['--from', from, '--to', '203.0.113.6:80', ...shown, dump]);
          assert.deepEqual([status, id], [1, 'source-not-allowed'], `${from}: ${text}`);
          assert.doesNotMatch(text, /[Rr]estart/);
        }
      }
    });

    it('policy Local without an endpoint here', () => {
      for (const to of ['203.0.113.7:80', '192.168.7.1:30007']) {
        const { status, id, text } = causeOf(['--from', 'outside', '--to', to, '-f', objects, ...target, dump]);
        assert.deepEqual([status, id], [1, 'no-local-endpoint'], `${to}: ${text}`);
        assert.doesNotMatch(text, /[Rr]estart/);
      }
    });
  });
}

/** Senders that source ranges stop; in IPVS mode of 1.25 not the node, and in nftables mode of 1.29 nobody else. */
function sendersStopped(mode: string, version: string): readonly string[] {
  if (mode === 'nftables' && version === '1.29') return ['node'];
  return ['10.244.1.9', 'outside', ...(mode === 'ipvs' && version === '1.25' ? [] : ['node'])];
}

describe('what the node sends to an external IP', () => {
  for (const version of ['1.14', '1.18', '1.20']) {
    it(`goes on untranslated in iptables mode of ${version}`, () => {
      const { dump } = nodeOf('iptables', version);
      const { status, id, text } = causeOf(['--from', 'node', '--to', '203.0.113.8:80', dump]);
      assert.deepEqual([status, id], [1, 'source-not-allowed'], text);
    });
  }

  it('arrives since 1.21', () => {
    const { dump } = nodeOf('iptables', '1.21');
    assert.equal(runCli(['why', '--from', 'node', '--to', '203.0.113.8:80', dump]).status, 0);
  });
});

describe('node ports that no rule leads to', () => {
  for (const version of ['1.18', '1.24', '1.36']) {
    it(`may be closed on purpose, as the rules of ${version} have it`, () => {
      const { dump } = nodeOf('iptables', version, 'nodePortAddresses: [198.51.100.0/24]\n');
      const { status, text } = causeOf(['--from', 'node', '--to', 'node:30008', dump]);
      assert.equal(status, 3, text);
      assert.match(text, /nodePortAddresses/);
    });
  }
});

describe('node ports that the settings given with the objects close', () => {
  for (const [mode, version] of [
    ['iptables', '1.18'],
    ['iptables', '1.36'],
    ['ipvs', '1.24'],
    ['nftables', '1.36'],
  ] as const) {
    it(`are closed by them, not by lost rules: ${mode} mode of ${version}`, () => {
      const { dump, target } = nodeOf(mode, version, 'nodePortAddresses: [198.51.100.0/24]\n');
      for (const shown of [[dump], []]) {
        const asked = ['--from', 'outside', '--to', 'node:30008', '-f', objects, ...target, ...shown];
        const { status, id, text } = causeOf(asked);
        assert.deepEqual([status, id], [1, 'source-not-allowed'], text);
        assert.match(
          text,
          /^The node port 30008 is not open on 192\.168\.7\.1: nodePortAddresses leaves this address out\./,
        );
      }
      // What the rules open all the same arrives.
      const open = nodeOf(mode, version).dump;
      const asked = ['--from', 'outside', '--to', 'node:30008', '-f', objects, ...target, open];
      assert.equal(runCli(['why', ...asked]).status, 0);
    });
  }
});

describe('an external IP with policy Local in IPVS mode', () => {
  for (const version of ['1.26', '1.28', '1.29']) {
    it(`is refused by a chain of ${version} that has no rule for its set`, () => {
      const { dump, target } = nodeOf('ipvs', version);
      for (const shown of [[], ['-f', objects, ...target]]) {
        const { status, id, text } = causeOf(['--from', 'outside', '--to', '203.0.113.9:80', ...shown, dump]);
        assert.deepEqual([status, id], [1, 'somebody-in-front'], text);
        assert.match(text, /no rule there lets pass what KUBE-EXTERNAL-IP-LOCAL holds\..* Upgrade kube-proxy to 1\.30/);
      }
    });
  }

  it('arrives since 1.30', () => {
    const { dump, target } = nodeOf('ipvs', '1.30');
    const asked = ['why', '--from', 'outside', '--to', '203.0.113.9:80', '-f', objects, ...target, dump];
    assert.equal(runCli(asked).status, 0);
  });

  it('is refused where the rule for another set is lost', () => {
    const { dump } = nodeOf('ipvs', '1.36', 'conntrack: {maxPerCore: 0}\n');
    const file = join(dump, 'iptables.v4.save');
    const rules = readFileSync(file, 'utf8');
    writeFileSync(file, rules.replace(/-A KUBE-IPVS-FILTER .*KUBE-CLUSTER-IP .*\n/, ''));
    const { status, id, text } = causeOf(['--from', '10.244.1.77', '--to', '10.96.0.9:80', dump]);
    assert.deepEqual([status, id], [1, 'hooks-missing'], text);
    assert.match(text, /no rule there lets pass what KUBE-CLUSTER-IP holds\. Restart kube-proxy/);
  });
});
