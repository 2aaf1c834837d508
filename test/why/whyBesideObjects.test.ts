import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { twoNodes, webOnBoth } from '../support/twoNodes.ts';

/** Of a node that lost a rule, a sentence never says what the objects contradict, and no fix is for a Service that is in order. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-beside-objects-'));
after(() => rmSync(folder, { recursive: true }));

const endpoints = (...last: readonly number[]) =>
  last.map((one) => `{addresses: [10.244.${one > 100 ? 2 : 1}.${one}], nodeName: n${one > 100 ? 2 : 1}}`).join(', ');

const objects = `${twoNodes}${webOnBoth}---
apiVersion: v1
kind: Service
metadata: {name: lb, namespace: shop}
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.11
  externalTrafficPolicy: Local
  healthCheckNodePort: 30111
  loadBalancerSourceRanges: [198.51.100.0/24]
  externalIPs: [203.0.113.11]
  ports: [{name: http, port: 80, nodePort: 30081}]
status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: lb-1, namespace: shop, labels: {kubernetes.io/service-name: lb}}
addressType: IPv4
endpoints: [${endpoints(11, 111)}]
ports: [{name: http, protocol: TCP, port: 8080}]
`;
const manifests = join(folder, 'cluster.yaml');
writeFileSync(manifests, objects);

const settings = ['--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];

/** The files of the node, as tools print them. */
function nodeFiles(mode: string, from: string = manifests, version?: string): ReadonlyMap<string, string> {
  const target = mkdtempSync(join(folder, 'rules-'));
  const asked = ['--mode', mode, '--family', 'ipv4', ...(version === undefined ? [] : ['--kube-version', version])];
  const { status, stderr } = runCli(['compile', '-f', from, ...settings, ...asked, '--out-dir', target]);
  assert.equal(status, 0, stderr);
  const shown = readdirSync(target).filter((name) => name.endsWith('.save'));
  return new Map(shown.map((name) => [name, readFileSync(join(target, name), 'utf8')]));
}

/** What why says of a packet to the node, without the part of its rules that the pattern finds. */
function said(
  files: ReadonlyMap<string, string>,
  lost: RegExp | undefined,
  [from, to]: readonly [string, string],
  given: readonly string[] = ['-f', manifests, ...settings],
) {
  const dump = mkdtempSync(join(folder, 'dump-'));
  mkdirSync(dump, { recursive: true });
  let isFound = lost === undefined;
  for (const [name, text] of files) {
    const left = lost === undefined ? text : text.replace(lost, '');
    isFound ||= left !== text;
    writeFileSync(join(dump, name), left);
  }
  assert.ok(isFound, `no rule is like ${lost}`);
  return runCli(['why', dump, ...given, '--from', from, '--to', to]);
}

const pod = '10.244.1.77';
const admitted = '198.51.100.9';
const stranger = '203.0.113.99';

interface Loss {
  readonly what: string;
  readonly mode: string;
  readonly version?: string;
  readonly lost: RegExp;
  readonly packet: readonly [from: string, to: string];
  readonly says: RegExp;
}

const losses: readonly Loss[] = [
  {
    what: 'one of two ports of a cluster IP',
    mode: 'iptables',
    lost: /^-A KUBE-SERVICES .*shop\/web:metrics cluster IP.*\n/m,
    packet: [pod, '10.96.0.10:9090'],
    says: /^No rule of this node has 10\.96\.0\.10:9090\/tcp: by the objects it is shop\/web:metrics's/,
  },
  {
    what: 'one of two ports of a cluster IP',
    mode: 'nftables',
    lost: /10\.96\.0\.10 \. tcp \. 9090 : goto [^,}]+?(?=[,\s}]),?\s*/,
    packet: [pod, '10.96.0.10:9090'],
    says: /^No rule of this node has 10\.96\.0\.10:9090\/tcp: by the objects it is shop\/web:metrics's/,
  },
  {
    what: 'the jump to KUBE-SERVICES, before source ranges',
    mode: 'iptables',
    lost: /^-A PREROUTING .*-j KUBE-SERVICES\n/m,
    packet: [admitted, '203.0.113.10:80'],
    says: /^KUBE-SERVICES has rules for 203\.0\.113\.10:80\/tcp, but no rule leads this packet there\./,
  },
  {
    what: 'the rule for the address of a load balancer',
    mode: 'iptables',
    lost: /^-A KUBE-SERVICES .*loadbalancer IP.*\n/m,
    packet: [admitted, '203.0.113.10:80'],
    says: /^No rule of this node has the address 203\.0\.113\.10: by the objects it is shop\/lb:http's/,
  },
  {
    what: 'the endpoints behind source ranges',
    mode: 'iptables',
    lost: /^-A KUBE-SVL-.*\n/m,
    packet: [admitted, '203.0.113.10:80'],
    says: /^KUBE-SVL-\w+, the chain of 203\.0\.113\.10:80\/tcp, has no rules and leads to no endpoint/,
  },
  {
    what: 'a source range',
    mode: 'iptables',
    lost: /^-A KUBE-FW-.* -s 198\.51\.100\.0\/24 .*\n/m,
    packet: [admitted, '203.0.113.10:80'],
    says: /^By the objects loadBalancerSourceRanges admit the source to 203\.0\.113\.10:80\/tcp; the rules of this node do not/,
  },
  {
    what: 'a source range',
    mode: 'ipvs',
    lost: /^add KUBE-LOAD-BALANCER-SOURCE-CIDR .*\n/m,
    packet: [admitted, '203.0.113.10:80'],
    says: /^By the objects loadBalancerSourceRanges admit the source to 203\.0\.113\.10:80\/tcp; the rules of this node do not/,
  },
  {
    what: 'what drops strangers',
    mode: 'iptables',
    lost: /^-A FORWARD .*-j KUBE-PROXY-FIREWALL\n/m,
    packet: [stranger, '203.0.113.10:80'],
    says: /^The source is in none of the loadBalancerSourceRanges of 203\.0\.113\.10:80\/tcp\./,
  },
  {
    what: 'the address of a load balancer in the map',
    mode: 'nftables',
    lost: /203\.0\.113\.10 \. tcp \. 80 : goto external-[^,}]+?(?=[,\s}]),?\s*/,
    packet: [admitted, '203.0.113.10:80'],
    says: /^No rule of this node has the address 203\.0\.113\.10: by the objects it is shop\/lb:http's/,
  },
  {
    what: 'the endpoints behind source ranges, which it asks afterwards',
    mode: 'nftables',
    version: '1.29',
    lost: /(?<=chain local-\w+-shop\/lb\/tcp\/http \{\n)\t\t.*\n/,
    packet: [admitted, '203.0.113.10:80'],
    says: /^local-\w+-shop\/lb\/tcp\/http, the chain of 203\.0\.113\.10:80\/tcp, has no rules and leads to no endpoint/,
  },
  {
    what: 'the endpoints that Pods go to past a policy Local',
    mode: 'nftables',
    lost: /(?<=chain service-\w+-shop\/lb\/tcp\/http \{\n)\t\t.*\n/,
    packet: [pod, '203.0.113.11:80'],
    says: /^service-\w+-shop\/lb\/tcp\/http, the chain of 203\.0\.113\.11:80\/tcp, has no rules and leads to no endpoint/,
  },
  {
    what: 'the rule that looks node ports up',
    mode: 'nftables',
    lost: /^\t\tip daddr @nodeport-ips .*@service-nodeports\n/m,
    packet: [admitted, '192.168.7.1:30080'],
    says: /^The map service-nodeports has 192\.168\.7\.1:30080\/tcp, but no rule looks into it\./,
  },
  {
    what: 'all real servers',
    mode: 'ipvs',
    lost: /^-a -t 10\.96\.0\.10:80 .*\n/gm,
    packet: [pod, '10.96.0.10:80'],
    says: /^By the objects 10\.96\.0\.10:80\/tcp has an endpoint that is ready; by the rules it has none/,
  },
  {
    what: 'the real server of this node',
    mode: 'ipvs',
    lost: /^-a -t 203\.0\.113\.11:80 .*\n/gm,
    packet: [pod, '203.0.113.11:80'],
    says: /^By the objects 203\.0\.113\.11:80\/tcp has an endpoint on this node that is ready; by the rules it has none/,
  },
  {
    what: 'what masquerades the node itself',
    mode: 'ipvs',
    lost: /^-A KUBE-SERVICES ! -s 10\.244\.0\.0\/16 .*-j KUBE-MARK-MASQ\n/m,
    packet: ['node', '10.96.0.10:80'],
    says: /^1\/2 \(50\.00 %\) of the connections fail: .* leaves with 10\.96\.0\.10, the Service's own address, .* Node n2 has that address too/,
  },
];

describe('why of a node that lost', () => {
  for (const { what, mode, version, lost, packet, says } of losses) {
    it(`${what} (${mode}${version === undefined ? '' : `, ${version}`})`, () => {
      const given = ['-f', manifests, ...settings, ...(version === undefined ? [] : ['--kube-version', version])];
      const { status, stdout, stderr } = said(nodeFiles(mode, manifests, version), lost, packet, given);
      assert.match(stdout, says, stderr);
      const [cause = ''] = stdout.split('\n\n');
      assert.doesNotMatch(cause, /spec\.ports|describe service|has no port/);
      assert.doesNotMatch(cause, packet[0] === stranger ? /restart/i : /Add the client's network/);
      assert.equal(status, 1);
    });
  }
});

describe('why of rules from before the endpoints', () => {
  const before = join(folder, 'before.yaml');
  writeFileSync(before, objects.replaceAll(/^endpoints: .*$/gm, 'endpoints: []'));
  for (const [mode, packet, says] of [
    ['iptables', [pod, '10.96.0.10:80'], /has an endpoint that is ready; by the rules it has none/],
    ['nftables', [pod, '10.96.0.10:80'], /has an endpoint that is ready; by the rules it has none/],
    ['ipvs', [pod, '10.96.0.10:80'], /has an endpoint that is ready; by the rules it has none/],
  ] as const) {
    it(`says that they are stale (${mode})`, () => {
      const { status, stdout } = said(nodeFiles(mode, before), undefined, packet);
      assert.match(stdout, says);
      assert.equal(status, 1);
    });
  }
  it('says that no endpoint is on the node where the objects say so, too', () => {
    const away = join(folder, 'away.yaml');
    writeFileSync(away, objects.replaceAll(endpoints(11, 111), endpoints(111)));
    const { status, stdout } = said(
      nodeFiles('iptables', away),
      undefined,
      [admitted, '203.0.113.11:80'],
      ['-f', away, ...settings],
    );
    assert.match(stdout, /^203\.0\.113\.11:80\/tcp has a traffic policy Local, and no endpoint is on this node\./);
    assert.equal(status, 1);
  });
});

describe('why of rules from an earlier state of the objects', () => {
  const changed = (name: string, text: string) => {
    assert.notEqual(text, objects);
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    return ['-f', file, ...settings];
  };
  for (const mode of ['iptables', 'nftables', 'ipvs']) {
    it(`says that packets go to endpoints that are gone (${mode})`, () => {
      const gone = changed('gone', objects.replace(/^endpoints: .*$/m, 'endpoints: []'));
      const { status, stdout } = said(nodeFiles(mode), undefined, [pod, '10.96.0.10:80'], gone);
      assert.match(
        stdout,
        /^The rules send it to 10\.244\.1\.10:8080, and shop\/web:http has no endpoints: nobody answers there/,
      );
      assert.equal(status, 1);
    });
    it(`does not tell clients to be added to source ranges that are gone (${mode})`, () => {
      const open = changed('open', objects.replace(/ {2}loadBalancerSourceRanges: .*\n/, ''));
      const { status, stdout } = said(nodeFiles(mode), undefined, [stranger, '203.0.113.10:80'], open);
      assert.match(stdout, /^By the objects loadBalancerSourceRanges admit the source .* does not know the ranges/);
      assert.doesNotMatch(stdout, /Add the client's network/);
      assert.equal(status, 1);
    });
  }
  it('does not take endpoints that were not given for gone', () => {
    const parts = objects.split('---\n').filter((part) => !part.includes('name: web-1'));
    const { status, stdout } = said(
      nodeFiles('iptables'),
      undefined,
      [pod, '10.96.0.10:80'],
      changed('part', parts.join('---\n')),
    );
    assert.match(stdout, /^It arrives/);
    assert.equal(status, 0);
  });
});

describe('why by the dump alone', () => {
  it('leaves open whether a port was lost, or never was', () => {
    const lost = /^-A KUBE-SERVICES .*shop\/web:metrics cluster IP.*\n/m;
    const { stdout } = said(nodeFiles('iptables'), lost, [pod, '10.96.0.10:9090'], []);
    assert.match(stdout, /shop\/web at 10\.96\.0\.10 has no port 9090\/tcp; it has 80\/tcp\./);
    assert.match(stdout, /If it is there, kube-proxy lost an update\./);
  });
  it('does not take a port for missing that may be in the rest of the dump', () => {
    const rest = /(?<=shop\/web:http cluster IP.*\n)[\s\S]*/;
    const { status, stdout } = said(nodeFiles('iptables'), rest, [pod, '10.96.0.10:9090'], []);
    assert.match(stdout, /^The dump shows a part of the table nat, and no rule for 10\.96\.0\.10:9090\/tcp in it/);
    assert.equal(status, 3);
  });
  it('knows that a port without endpoints is refused in the table filter', () => {
    const filter = /^\*filter$[\s\S]*?^COMMIT\n/m;
    const { status, stdout } = said(nodeFiles('iptables'), filter, [pod, '10.96.0.10:9443'], []);
    assert.match(
      stdout,
      /has no port 9443\/tcp; .* Or the port has no endpoints: the table filter, .* not in the dump\./,
    );
    assert.equal(status, 3);
  });
  it('does not know where an endpoint is that gets the own address of a Service', () => {
    const lost = /^-A KUBE-SERVICES ! -s 10\.244\.0\.0\/16 .*-j KUBE-MARK-MASQ\n/m;
    const { status, stdout } = said(nodeFiles('ipvs'), lost, ['node', '10.96.0.10:80'], []);
    assert.match(stdout, /Whether the answer comes back depends on where 10\.244\.1\.10 is, which was not given/);
    assert.equal(status, 3);
  });
});

describe('why of a healthy node', () => {
  for (const mode of ['iptables', 'nftables', 'ipvs']) {
    it(`says that what Pods of another node send to addresses of Services is up to that node (${mode})`, () => {
      const files = nodeFiles(mode);
      for (const to of ['10.96.0.10:80', '203.0.113.11:80']) {
        const { status, stdout } = said(files, undefined, ['10.244.2.77', to]);
        assert.match(stdout, /^Unknown: 10\.244\.2\.77 is a Pod of node n2, whose rules translate what it sends to /);
        assert.equal(status, 3);
      }
    });
  }
  for (const mode of ['iptables', 'nftables']) {
    it(`says why a Pod of another node gets no answer at a node port with policy Local (${mode})`, () => {
      const { status, stdout } = said(nodeFiles(mode), undefined, ['10.244.2.77', '192.168.7.1:30081']);
      assert.match(stdout, /goes to all of its endpoints, and is not masqueraded/);
      assert.match(stdout, /→ Let Pods use the cluster IP/);
      assert.equal(status, 1);
    });
  }
  it('has an answer for the node from an external IP with policy Local (ipvs)', () => {
    const { status, stdout } = said(nodeFiles('ipvs'), undefined, ['node', '203.0.113.11:80'], []);
    assert.match(stdout, /^It arrives, and the answer comes back/);
    assert.equal(status, 0);
  });
});
