import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Manifests against a node whose network is not the usual one: rules are compared, and no guesses about routes. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-network-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifests = join(folder, 'cluster.yaml');
writeFileSync(
  manifests,
  `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  type: NodePort
  ipFamilyPolicy: RequireDualStack
  ipFamilies: [IPv4, IPv6]
  clusterIP: 10.96.0.10
  clusterIPs: [10.96.0.10, "fd00:96::10"]
  ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }]
${slice('IPv4', '10.244.1.5')}${slice('IPv6', 'fd00:10:1::5')}---
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { podCIDRs: [10.244.0.0/24, "fd00:10::/64"] }
status: { addresses: [{ type: InternalIP, address: 192.168.77.11 }, { type: InternalIP, address: "fd77::11" }] }
`,
);

function slice(family: string, address: string): string {
  return `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-${family.toLowerCase()}, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: ${family}
ports: [{ name: "", port: 8080, protocol: TCP }]
endpoints: [{ addresses: ["${address}"], conditions: { ready: true } }]
`;
}

/** No default route over IPv6, and none to Pods. */
function writeNetwork(node: string): void {
  writeFileSync(
    join(node, 'addresses.txt'),
    `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 127.0.0.1/8 scope host lo
    inet6 ::1/128 scope host
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000
    inet 192.168.77.11/24 scope global eth0
    inet6 fd77::11/64 scope global
`,
  );
  writeFileSync(
    join(node, 'routes.v4.txt'),
    'default via 192.168.77.1 dev eth0\n192.168.77.0/24 dev eth0 proto kernel\n',
  );
  writeFileSync(join(node, 'routes.v6.txt'), 'fd77::/64 dev eth0 proto kernel metric 256 pref medium\n');
}

for (const mode of ['iptables', 'nftables', 'ipvs']) {
  const node = join(folder, mode);
  mkdirSync(node);
  const made = ['compile', '-q', '-f', manifests, '--node', 'n1', '--mode', mode, '--kube-version', '1.36'];
  const compare = ['diff', '--compare', 'behaviour', '-f', manifests, '--node', 'n1', '--mode', mode, node];

  test(`${mode}: a node in order is the same for every packet`, () => {
    assert.equal(runCli([...made, '--out-dir', node]).status, 0);
    for (const file of ['apply.sh', 'iptables.v4.restore', 'iptables.v6.restore', 'sysctl.conf'])
      rmSync(join(node, file), { force: true });
    if (mode !== 'ipvs') writeNetwork(node);
    const { status, stdout, stderr } = runCli([...compare, '--kube-version', '1.36']);
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /the same for every packet/);
  });

  test(`${mode}: what a rule does otherwise is told`, () => {
    const changed = join(folder, 'changed.yaml');
    writeFileSync(changed, readFileSync(manifests, 'utf8').replace('10.244.1.5', '10.244.1.6'));
    const other = ['diff', '--compare', 'behaviour', '-f', changed, '--node', 'n1', '--mode', mode, node];
    const { status, stdout, stderr } = runCli([...other, '--kube-version', '1.36']);
    assert.equal(status, 1, stdout + stderr);
    assert.doesNotMatch(stdout, /foreign address/);
  });
}
