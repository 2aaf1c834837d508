import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../../support/runCli.ts';

/** Since 1.33 a cluster has ServiceCIDRs, and nftables mode drops what goes to addresses in them that no Service has. */

const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const service = write(
  'service.yaml',
  `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {clusterIP: 10.96.0.77, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{port: 8080}]
endpoints: [{addresses: [10.244.1.7]}]
`,
);
const range = (name: string, ...cidrs: readonly string[]) =>
  `apiVersion: networking.k8s.io/v1\nkind: ServiceCIDR\nmetadata: {name: ${name}}\nspec: {cidrs: [${cidrs.map((cidr) => `"${cidr}"`).join(', ')}]}\n---\n`;
const one = write('one.yaml', range('kubernetes', '10.96.0.0/16', 'fd00:10:96::/112'));
const two = write('two.yaml', range('more', '10.50.0.0/16') + range('kubernetes', '10.96.0.0/16'));
const compile = (...args: readonly string[]) =>
  runCli(['compile', '-f', service, '--mode', 'nftables', '--kube-version', '1.36', ...args]);
const rule = (text: string) => text.split('\n').filter((line) => line.includes('unallocated ClusterIPs'));
const dump = (name: string, ...args: readonly string[]) => write(name, compile('-o', 'save', ...args).stdout);

describe('addresses of ServiceCIDRs that no Service has', () => {
  it('are dropped, behind the reject of cluster IPs', () => {
    const { stdout } = compile('-o', 'restore', '-f', one, '--family', 'ipv4');
    assert.deepEqual(rule(stdout), [
      'add rule ip kube-proxy cluster-ips-check ip daddr { 10.96.0.0/16 } drop comment "Drop traffic to unallocated ClusterIPs"',
    ]);
    assert.match(stdout, /@cluster-ips reject[^\n]*\n[^\n]*unallocated/);
    assert.deepEqual(rule(compile('-o', 'save', '-f', one, '--family', 'ipv6').stdout), [
      '\t\tip6 daddr fd00:10:96::/112 drop comment "Drop traffic to unallocated ClusterIPs"',
    ]);
    assert.match(rule(compile('-o', 'restore', '-f', two).stdout)[0] ?? '', /\{ 10\.50\.0\.0\/16,10\.96\.0\.0\/16 \}/);
    assert.match(rule(compile('-o', 'save', '-f', two).stdout)[0] ?? '', /\{ 10\.50\.0\.0\/16, 10\.96\.0\.0\/16 \}/);
    assert.equal(rule(compile('-o', 'save', '--service-cidr', '10.96.0.0/12').stdout).length, 1);
  });

  it('are dropped since 1.33, in this mode alone', () => {
    for (const [mode, version] of [
      ['nftables', '1.32'],
      ['iptables', '1.36'],
      ['ipvs', '1.36'],
    ])
      assert.deepEqual(
        rule(compile('-f', one, '-o', 'save', '--mode', mode ?? '', '--kube-version', version ?? '').stdout),
        [],
      );
    assert.equal(rule(compile('-f', one, '-o', 'save', '--kube-version', '1.33').stdout).length, 1);
  });

  it('are left alone where nobody gave the ranges, which is said once', () => {
    const { stdout, stderr } = compile('-o', 'save');
    assert.deepEqual(rule(stdout), []);
    assert.equal(stderr.match(/service-cidr-unknown/g)?.length, 1);
    assert.doesNotMatch(compile('-o', 'save', '-f', one).stderr, /service-cidr-unknown/);
    assert.doesNotMatch(compile('-o', 'save', '--kube-version', '1.32').stderr, /service-cidr-unknown/);
  });

  it('are no difference, whoever gives the ranges', () => {
    const live = dump('live.nft', '-f', two);
    for (const input of [['-f', two], [], ['--service-cidr', '10.96.0.0/16,10.50.0.0/16']]) {
      const run = runCli(['diff', '-f', service, ...input, live]);
      assert.equal(run.status, 0, run.stdout);
    }
    const config = write(
      'config.yaml',
      'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: nftables\n',
    );
    const configured = runCli(['diff', '-f', service, '--config', config, live]);
    assert.equal(configured.status, 0, configured.stdout);
    // Other ranges than the cluster's are those of an earlier sync.
    const other = runCli(['diff', '-f', service, '-f', one, live]);
    assert.equal(other.status, 0, other.stdout);
    assert.match(other.stdout, /info K8N216 cluster-ips-check drops what no Service has of other ranges/);
    assert.equal(runCli(['doctor', live]).status, 0);
  });

  it('come back by import, and convert', () => {
    const live = dump('imported.nft', '-f', one);
    assert.match(
      runCli(['import', live]).stdout,
      /kind: ServiceCIDR\nmetadata:\n {2}name: kubernetes\nspec:\n {2}cidrs:\n {2}- 10\.96\.0\.0\/16/,
    );
    const converted = runCli(['convert', live, '--to', 'iptables', '--check']);
    assert.doesNotMatch(converted.stderr, /edited/);
    assert.equal(converted.status, 0, converted.stderr);
  });

  it('are where missing cluster IPs are chosen from', () => {
    const missing = write(
      'missing.yaml',
      'apiVersion: v1\nkind: Service\nmetadata: {name: new}\nspec: {ports: [{port: 80}]}\n',
    );
    const far = write('far.yaml', range('kubernetes', '172.20.0.0/24'));
    const run = runCli(['compile', '-f', missing, '-f', far, '-o', 'save']);
    assert.match(run.stdout, /-d 172\.20\.0\.\d+\/32/);
  });

  it('are told by why', () => {
    const run = runCli(['why', dump('why.nft', '-f', one), '--from', '10.244.0.9', '--to', '10.96.9.9:80']);
    assert.equal(run.status, 1);
    assert.match(run.stdout, /^No rule of this node has the address 10\.96\.9\.9/);
    assert.match(run.stdout, /unallocated ClusterIPs/);
  });

  it('need no word about IPAddresses', () => {
    const address = write(
      'address.yaml',
      'apiVersion: networking.k8s.io/v1\nkind: IPAddress\nmetadata: {name: 10.96.0.77}\nspec: {parentRef: {resource: services, name: web, namespace: shop}}\n',
    );
    assert.doesNotMatch(compile('-f', one, '-f', address, '-o', 'save').stderr, /skipped|IPAddress/);
  });
});
