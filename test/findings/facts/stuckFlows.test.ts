import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { factChecks } from '../../../src/findings/checks/node/factChecks.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { artefacts } from '../../../src/output/artefacts.ts';
import { compileText } from '../../support/compileText.ts';

const manifests = `
apiVersion: v1
kind: Service
metadata: { name: dns, namespace: kube-system }
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.10
  clusterIPs: [10.96.0.10, "fd00:10:96::a"]
  ipFamilies: [IPv4, IPv6]
  ipFamilyPolicy: RequireDualStack
  externalIPs: [203.0.113.5]
  ports: [{ name: dns, port: 53, targetPort: 5353, protocol: UDP, nodePort: 30053 }]
status: { loadBalancer: { ingress: [{ ip: 198.51.100.7 }] } }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: dns-4, namespace: kube-system, labels: { kubernetes.io/service-name: dns } }
addressType: IPv4
ports: [{ name: dns, port: 5353, protocol: UDP }]
endpoints:
  - { addresses: [10.244.1.7], nodeName: n1 }
  - { addresses: [10.244.2.8], conditions: { ready: false, serving: true, terminating: true } }
  - { addresses: [10.244.2.9], conditions: { ready: false, serving: false } }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: dns-6, namespace: kube-system, labels: { kubernetes.io/service-name: dns } }
addressType: IPv6
ports: [{ name: dns, port: 5353, protocol: UDP }]
endpoints: [{ addresses: ["fd00:10:244::7"] }]
---
apiVersion: v1
kind: Service
metadata: { name: gone, namespace: shop }
spec:
  clusterIP: 10.96.0.20
  ports: [{ port: 514, protocol: UDP }]
`;
const node = ['--node', 'n1', '--node-ip', '192.168.10.1', '--no-allocate'];

let client = 0;
/** A flow as `conntrack -L` prints it, each from another port of one client. */
function flow(
  to: string,
  port: number,
  by: string,
  byPort: number,
  flags: 'unreplied' | 'answered',
  zone = '',
): string {
  client += 1;
  const from = to.includes(':') ? 'fd00::5' : '10.244.1.5';
  const ends = `src=${from} dst=${to} sport=${client} dport=${port}`;
  const back = `src=${by} dst=${from} sport=${byPort} dport=${client}`;
  return `udp      17 29 ${ends} ${flags === 'unreplied' ? '[UNREPLIED] ' : ''}${back} mark=0 ${zone}use=1`;
}

async function found(mode: 'iptables' | 'ipvs' | 'nftables', ...flows: readonly string[]): Promise<readonly Finding[]> {
  const { compiled } = await compileText(manifests, '--mode', mode, ...node);
  const dump = readDumps([{ name: 'ct', text: `${flows.join('\n')}\n`, kind: 'conntrack' }], { name: 'n1' });
  assert.deepEqual(dump.unread, []);
  return factChecks(compiled, dump);
}

const brief = (findings: readonly Finding[]) =>
  findings.map(({ severity, service, what }) => `${severity} ${service}: ${what}`);
const commands = ({ fix }: Finding) => [...fix.matchAll(/`([^`]*)`/g)].map(([, command]) => command);

describe('UDP flows against manifests', () => {
  it('are stuck on what is no endpoint, one finding an endpoint', async () => {
    const findings = await found(
      'iptables',
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied'),
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied'),
      flow('203.0.113.5', 53, '10.244.3.9', 5353, 'answered'),
      flow('198.51.100.7', 53, '10.244.2.9', 5353, 'unreplied'),
      flow('fd00:10:96::a', 53, 'fd00:10:244::9', 5353, 'unreplied'),
      flow('10.96.0.20', 514, '10.244.3.1', 514, 'unreplied'),
    );
    assert.deepEqual(brief(findings), [
      'error kube-system/dns:dns: 3 UDP flows to 10.96.0.10:53, 203.0.113.5:53 go to 10.244.3.9:5353, which is not an endpoint: 2 of them unanswered',
      'error kube-system/dns:dns: a UDP flow to 198.51.100.7:53 goes to 10.244.2.9:5353, which is not an endpoint: nothing answers',
      'error kube-system/dns:dns: a UDP flow to [fd00:10:96::a]:53 goes to [fd00:10:244::9]:5353, which is not an endpoint: nothing answers',
      'error shop/gone: a UDP flow to 10.96.0.20:514 goes to 10.244.3.1:514, which is not an endpoint: nothing answers',
    ]);
    assert.deepEqual(findings.map(commands), [
      [
        'conntrack -D -p udp --orig-dst 10.96.0.10 --orig-port-dst 53 --reply-src 10.244.3.9',
        'conntrack -D -p udp --orig-dst 203.0.113.5 --orig-port-dst 53 --reply-src 10.244.3.9',
      ],
      ['conntrack -D -p udp --orig-dst 198.51.100.7 --orig-port-dst 53 --reply-src 10.244.2.9'],
      ['conntrack -D -f ipv6 -p udp --orig-dst fd00:10:96::a --orig-port-dst 53 --reply-src fd00:10:244::9'],
      ['conntrack -D -p udp --orig-dst 10.96.0.20 --orig-port-dst 514 --reply-src 10.244.3.1'],
    ]);
    assert.deepEqual(
      findings[0]?.found.map(({ file, line }) => `${file}:${line}`),
      ['ct:1', 'ct:2', 'ct:3'],
    );
    assert.ok(findings.every(({ code, places, isAdvice }) => code === 'K8N511' && places.length === 1 && !isAdvice));
  });

  it('are told by the port of the endpoint too', async () => {
    const [finding] = await found('iptables', flow('10.96.0.10', 53, '10.244.1.7', 53, 'unreplied'));
    assert.deepEqual(commands(finding as Finding), [
      'conntrack -D -p udp --orig-dst 10.96.0.10 --orig-port-dst 53 --reply-src 10.244.1.7 --reply-port-src 53',
    ]);
  });

  it('of a node port count at any address where they were translated', async () => {
    const findings = await found(
      'nftables',
      flow('192.168.10.1', 30053, '10.244.3.9', 5353, 'unreplied'),
      flow('192.168.77.1', 30053, '10.244.3.9', 5353, 'unreplied'),
    );
    assert.deepEqual(findings.map(commands), [['conntrack -D -p udp --orig-port-dst 30053 --reply-src 10.244.3.9']]);
  });

  it('are stuck where they were never translated, although there are endpoints', async () => {
    const findings = await found(
      'iptables',
      flow('10.96.0.10', 53, '10.96.0.10', 53, 'unreplied'),
      flow('192.168.10.1', 30053, '192.168.10.1', 30053, 'unreplied'),
    );
    assert.deepEqual(brief(findings), [
      'error kube-system/dns:dns: 2 UDP flows to 10.96.0.10:53, 192.168.10.1:30053 were never translated, although there are 2 endpoints: nothing answers',
    ]);
    assert.deepEqual(findings.map(commands), [
      [
        'conntrack -D -p udp --orig-dst 10.96.0.10 --orig-port-dst 53 --reply-src 10.96.0.10',
        'conntrack -D -p udp --orig-dst 192.168.10.1 --orig-port-dst 30053 --reply-src 192.168.10.1',
      ],
    ]);
  });

  it('that were answered once are a warning, unless the node itself answers', async () => {
    const findings = await found(
      'iptables',
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'answered'),
      flow('10.96.0.10', 53, '169.254.20.10', 53, 'answered'),
      flow('10.96.0.10', 53, '192.168.10.1', 53, 'answered'),
    );
    assert.deepEqual(brief(findings), [
      'warning kube-system/dns:dns: a UDP flow to 10.96.0.10:53 goes to 10.244.3.9:5353, which is not an endpoint: it answered before',
    ]);
  });

  it('are no matter otherwise', async () => {
    const findings = await found(
      'iptables',
      flow('10.96.0.10', 53, '10.244.1.7', 5353, 'unreplied'),
      flow('10.96.0.10', 53, '10.244.2.8', 5353, 'answered'),
      // Answered untranslated: somebody listens there. No endpoints: nothing to be translated to. Another node's port.
      flow('10.96.0.10', 53, '10.96.0.10', 53, 'answered'),
      flow('10.96.0.20', 514, '10.96.0.20', 514, 'unreplied'),
      flow('192.168.10.2', 30053, '192.168.10.2', 30053, 'unreplied'),
      // Another port, another Service, another zone, another protocol.
      flow('10.96.0.10', 54, '10.244.3.9', 54, 'unreplied'),
      flow('10.99.0.1', 53, '10.244.3.9', 53, 'unreplied'),
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied', 'zone=4 '),
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied').replace('udp      17', 'tcp      6'),
    );
    assert.deepEqual(findings, []);
  });

  it('are a warning in IPVS mode, which asks a table of its own', async () => {
    const findings = await found(
      'ipvs',
      flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied'),
      flow('10.96.0.10', 53, '10.244.3.8', 5353, 'answered'),
      flow('10.96.0.10', 53, '10.96.0.10', 53, 'unreplied'),
    );
    assert.equal(findings.length, 1);
    assert.match(brief(findings)[0] ?? '', /^warning .*10\.244\.3\.9/);
    assert.match(findings[0]?.fix ?? '', /expire_nodest_conn=1.*`conntrack -D -p udp --orig-dst 10\.96\.0\.10 /);
  });
});

describe('UDP flows against a dump alone', () => {
  const flows = [
    flow('10.96.0.10', 53, '10.244.3.9', 5353, 'unreplied'),
    flow('192.168.10.1', 30053, '10.244.3.9', 5353, 'unreplied'),
    flow('10.96.0.10', 53, '10.244.1.7', 5353, 'unreplied'),
    flow('10.96.0.10', 53, '10.96.0.10', 53, 'unreplied'),
    flow('10.96.0.20', 514, '10.244.3.1', 514, 'unreplied'),
    flow('10.96.0.20', 514, '10.96.0.20', 514, 'unreplied'),
    flow('10.77.0.1', 53, '10.244.3.9', 53, 'unreplied'),
  ];
  const expected = {
    iptables: [
      'error kube-system/dns:dns: 2 UDP flows to 10.96.0.10:53, 192.168.10.1:30053 go to 10.244.3.9:5353',
      'error kube-system/dns:dns: a UDP flow to 10.96.0.10:53 was never translated, although there is an endpoint',
      'error shop/gone: a UDP flow to 10.96.0.20:514 goes to 10.244.3.1:514',
    ],
    nftables: [
      'error kube-system/dns:dns: 2 UDP flows to 10.96.0.10:53, 192.168.10.1:30053 go to 10.244.3.9:5353',
      'error kube-system/dns:dns: a UDP flow to 10.96.0.10:53 was never translated, although there is an endpoint',
      'error undefined: a UDP flow to 10.96.0.20:514 goes to 10.244.3.1:514',
    ],
    ipvs: [
      'warning undefined: a UDP flow to 10.96.0.10:53 goes to 10.244.3.9:5353',
      'warning undefined: a UDP flow to 192.168.10.1:30053 goes to 10.244.3.9:5353',
      'warning undefined: a UDP flow to 10.96.0.20:514 goes to 10.244.3.1:514',
    ],
  } as const;
  const names = { iptables: 'iptables.v4.save', nftables: 'nft.v4.save', ipvs: 'ipvsadm.v4.save' } as const;
  const artefact = async (mode: keyof typeof names, version = '1.30') => {
    const { compiled } = await compileText(manifests, '--mode', mode, '--kube-version', version, ...node);
    const made = await artefacts(compiled, { hasNfacct: false }, () => {});
    return [...(made.find(({ name }) => name === names[mode])?.text() ?? assert.fail())].join('');
  };
  for (const [mode, version] of [
    ['iptables', '1.30'],
    ['nftables', '1.29'],
    ['nftables', '1.30'],
    ['nftables', '1.36'],
    ['ipvs', '1.30'],
  ] as const) {
    it(`of ${mode} mode of ${version}`, async () => {
      const rules = await artefact(mode, version);
      const dump = readDumps(
        [
          { name: 'rules', text: rules },
          { name: 'ct', text: flows.join('\n') },
        ],
        { name: 'n1' },
      );
      const findings = diagnoseDump(dump).findings.filter(({ code }) => code === 'K8N511');
      assert.deepEqual(
        brief(findings).map((line) => line.replace(/(?:, which is not an endpoint)?: nothing answers$/, '')),
        expected[mode],
      );
    });
  }

  it('say nothing of a piece of a table, unless it shows every endpoint', async () => {
    const lines = (await artefact('iptables'))
      .split('\n')
      .filter((line) => line.includes('dns cluster IP') || line.includes('KUBE-SEP'));
    const found = (piece: readonly string[]) =>
      diagnoseDump(
        readDumps(
          [
            { name: 'rules', text: piece.join('\n') },
            { name: 'ct', text: flows.join('\n') },
          ],
          { name: 'n1' },
        ),
      ).findings.filter(({ code }) => code === 'K8N511');
    assert.deepEqual([...new Set(found(lines).map(({ service }) => service))], ['kube-system/dns:dns']);
    const entry = lines.find((line) => line.includes('dns cluster IP') && line.startsWith('-A KUBE-SERVICES')) ?? '';
    const chain = /-j (KUBE-SVC-\w+)/.exec(entry)?.[1];
    const rungs = lines.filter((line) => line.startsWith(`-A ${chain} `) && line.includes('-j KUBE-SEP-'));
    assert.equal(rungs.length, 1);
    const without = lines.filter((line) => !rungs.includes(line));
    assert.deepEqual(found(without), []);
    // The last rule of three is missing, or the first.
    for (const probability of ['0.33333333349', '0.50000000000']) {
      const chance = `-m statistic --mode random --probability ${probability} -j KUBE-SEP-`;
      assert.deepEqual(found([...without, ...rungs.map((rung) => rung.replace('-j KUBE-SEP-', chance))]), []);
    }
  });
});
