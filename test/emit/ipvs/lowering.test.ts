import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dialectOf } from '../../../src/dialect/dialectOf.ts';
import { knownVersions } from '../../../src/dialect/knownVersions.ts';
import { setName } from '../../../src/emit/ipvs/setName.ts';
import { ipvsCleanupScript } from '../../../src/script/ipvs/ipvsCleanup.ts';
import { compileCase, compileFiles } from '../../support/compileCase.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-ipvs-'));
after(() => rmSync(folder, { recursive: true }));

const service = (spec: string, status = '') => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
${spec}
${status}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: "", port: 8080}]
endpoints: [{addresses: [10.244.1.10], nodeName: node-1}, {addresses: [10.244.2.11], nodeName: node-2}]
`;

async function compiled(manifests: string, ...args: readonly string[]) {
  const file = join(folder, 'manifests.yaml');
  writeFileSync(file, manifests);
  return compileFiles([file], ['--mode', 'ipvs', '--node', 'node-1', '--node-ip', '192.168.10.1', ...args]);
}

const clusterIP = '  clusterIP: 10.96.0.10\n  ports: [{port: 80, targetPort: 8080}]';

test('timeouts stand first, in both families, and are written once any of them is given', async () => {
  writeFileSync(
    join(folder, 'config.yaml'),
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nipvs: {udpTimeout: 30s, tcpFinTimeout: 1m30s}\n',
  );
  const result = await compiled(service(clusterIP), '--config', join(folder, 'config.yaml'));
  assert.match(result.text('ipvsadm.v4.save'), /^--set 0 90 30\n-A -t 10\.96\.0\.10:80 -s rr\n/);
  assert.equal(result.text('ipvsadm.v6.save'), '--set 0 90 30\n');
  assert.match(result.text('apply.sh'), /^timeouts 0 90 30$/m);
});

test('Maglev hashing looks at ports too', async () => {
  const result = await compiled(service(clusterIP), '--ipvs-scheduler', 'mh');
  assert.match(result.text('ipvsadm.v4.save'), /^-A -t 10\.96\.0\.10:80 -s mh -b mh-port$/m);
  assert.match(result.text('apply.sh'), /^load_modules nf_conntrack ip_vs ip_vs_mh ip_set xt_set$/m);
});

test('a source range of everything is left out, with a warning, and its rule is there all the same', async () => {
  const { diagnostics, text } = await compiled(
    service(
      `  type: LoadBalancer\n  allocateLoadBalancerNodePorts: false\n  loadBalancerSourceRanges: ["0.0.0.0/0"]\n${clusterIP}`,
      'status: {loadBalancer: {ingress: [{ip: 203.0.113.10}]}}',
    ),
    '--kube-version',
    '1.33',
  );
  assert.doesNotMatch(text('ipset.v4.save'), /^add KUBE-LOAD-BALANCER-SOURCE-CIDR/m);
  assert.match(text('iptables.v4.restore'), /--match-set KUBE-LOAD-BALANCER-SOURCE-CIDR dst,dst,src -j RETURN$/m);
  const left = diagnostics.filter(({ code }) => code === 'source-range-left-out');
  assert.equal(left.length, 1);
  assert.match(left[0]?.message ?? '', /^shop\/web: source range 0\.0\.0\.0\/0 is refused by ipset/);
});

test('an address of the node is not bound to kube-ipvs0', async () => {
  const result = await compiled(service(`${clusterIP}\n  externalIPs: [192.168.10.1, 198.51.100.1]`));
  assert.equal(result.text('addresses.v4'), '10.96.0.10/32\n198.51.100.1/32\n');
  assert.match(result.text('ipvsadm.v4.save'), /^-A -t 192\.168\.10\.1:80 -s rr$/m);
});

test('the fixed order: sets as kube-proxy makes them, members by bytes, services as ipvsadm compares addresses', async () => {
  const { text } = await compileCase('services/mixed-random-dual', '--mode', 'ipvs');
  for (const family of ['v4', 'v6']) {
    const members = new Map<string, string[]>();
    for (const line of text(`ipset.${family}.save`).split('\n')) {
      const [verb, set = '', member = ''] = line.split(' ');
      if (verb === 'create') members.set(set, []);
      if (verb === 'add') members.get(set)?.push(member);
    }
    assert.equal(members.size, 17);
    for (const [set, list] of members) assert.deepEqual(list, [...list].sort(), set);
    const addresses = text(`addresses.${family}`).trim().split('\n');
    assert.deepEqual(addresses, [...addresses].sort());
  }
  const services = [...text('ipvsadm.v4.save').matchAll(/^-A (\S+) (\S+):/gm)].map(
    ([, protocol, ip]) => `${protocol} ${ip}`,
  );
  const first = services.filter((name) => name.startsWith('-t 192.') || name.startsWith('-t 203.'));
  assert.ok(first.length > 0);
  assert.ok(services.lastIndexOf(first.at(-1) as string) < services.findIndex((name) => name.startsWith('-t 10.')));
  assert.ok(
    services.findLastIndex((name) => name.startsWith('-t')) < services.findIndex((name) => name.startsWith('-u')),
  );
});

test('what is excluded from clean-up reaches the script as bits', async () => {
  const result = await compiled(service(clusterIP), '--ipvs-exclude-cidrs', '10.50.0.0/15,fd00:50::/20');
  assert.match(
    result.text('apply.sh'),
    /^K8SNET_FILE excluded\n4000010100011001\n611111101000000000000\nK8SNET_FILE leftover/m,
  );
});

test('a scheduler that is no word is refused, or never reaches a command', async () => {
  writeFileSync(
    join(folder, 'config.yaml'),
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nipvs: {scheduler: "rr; reboot\\nK8SNET_END"}\n',
  );
  const result = await compiled(service(clusterIP), '--config', join(folder, 'config.yaml'));
  const isRefused = result.diagnostics.some(({ severity }) => severity === 'error');
  assert.equal(result.artefacts.size === 0, isRefused);
  for (const name of result.artefacts.keys())
    assert.doesNotMatch(result.text(name), /; reboot\n|load_modules.*;/, name);
});

test('the clean-up script names the sets and chains of every version', () => {
  const script = ipvsCleanupScript();
  const names = /<<'K8SNET_END'\n([\s\S]*?)\nK8SNET_END/.exec(script)?.[1]?.split('\n') ?? [];
  const chainsOf = (table: string) => new RegExp(`^${table}='(.*)'$`, 'm').exec(script)?.[1]?.split(' ') ?? [];
  const [sets, nat, filter] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const version of knownVersions('ipvs')) {
    const { spelling } = dialectOf('ipvs', version);
    for (const family of ['ipv4', 'ipv6'] as const) {
      for (const key of spelling.sets) sets.add(setName(key, family, spelling));
    }
    for (const chain of spelling.natChains) nat.add(chain);
    for (const chain of spelling.filterChains) filter.add(chain);
  }
  assert.deepEqual([...names].sort(), [...sets].sort());
  assert.deepEqual([chainsOf('nat').sort(), chainsOf('filter').sort()], [[...nat].sort(), [...filter].sort()]);
  assert.ok(names.every((name) => name.length <= 31 && /^KUBE-[A-Z0-9-]+$/.test(name)));
  assert.ok(names.includes('KUBE-6-LOAD-BALANCER-SOURCE-CID') && names.includes('KUBE-6-NODE-PORT-LOCAL-SCTP-HAS'));
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

test('the scripts are plain POSIX shell', { skip: hasShellcheck ? false : 'shellcheck is not installed' }, async () => {
  const apply = (await compileCase('services/mixed-random-dual', '--mode', 'ipvs')).text('apply.sh');
  const timed = (await compileCase('services/ipvs-scheduler-lc', '--mode', 'ipvs')).text('apply.sh');
  for (const input of [apply, timed, ipvsCleanupScript()]) {
    const { status, stdout } = spawnSync('shellcheck', ['-s', 'sh', '-'], { input, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  }
});
