import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** Who answers a packet in place of what its address reads as, and whose names commands of `why` have. */

const of = (path: string) => join(root, 'fixtures', path);
const cache = of('dns-cache/node.save');
const pods = ['-f', of('host-ports/pods.yaml')];
const daemonSet = ['-f', of('host-ports/daemonset.yaml')];
const dns = (address: string, ...more: readonly string[]) => [
  ...['--from', '10.244.1.5', '--to', `${address}:53`, '--proto', 'udp'],
  ...more,
];
const node = (port: number) => ['--from', 'outside', '--to', `192.168.2.69:${port}`];
const shown = ['--addresses', of('dns-cache/addresses.txt')];
const without = ['--addresses', of('dns-cache/without.txt')];

const asked: readonly (readonly [args: readonly string[], status: number, says: RegExp])[] = [
  ...[dns('10.96.0.10'), dns('169.254.20.10'), dns('10.96.0.10', ...shown), dns('169.254.20.10', ...shown)].map(
    (args) =>
      [[cache, ...args], 0, /NodeLocal DNSCache of this node answers at (?:10\.96\.0|169\.254\.20)\.10:53/] as const,
  ),
  [[cache, ...dns('10.96.0.10', ...without)], 1, /no interface of this node has that address: the cache does not run/],
  [[cache, ...dns('169.254.20.10', ...without)], 1, /no interface of this node has that address: the cache does not/],
  // Who asks for another address is none of its clients.
  [[cache, ...dns('10.96.0.11')], 1, /^(?!.*NodeLocal)No rule of this node has the address 10\.96\.0\.11/],
  [[...daemonSet, ...node(80)], 3, /^80\/tcp is the hostPort of the Pods of DaemonSet nginx-ingress\/nginx-ingress/],
  [[...daemonSet, ...node(81)], 0, /^It arrives(?!.*hostPort)/s],
  [[...pods, ...node(80)], 3, /^80\/tcp is the hostPort of Pod shop\/web-0: .* takes it to 10\.244\.1\.7:8080/],
  // Of a Pod on another node, and at another address of this one.
  [[...pods, ...node(81)], 0, /^It arrives(?!.*hostPort)/s],
  [[...pods, ...node(90)], 0, /^It arrives(?!.*hostPort)/s],
  [[...pods, ...node(9100)], 0, /9100\/tcp is a port that hostNetwork opens for Pod shop\/exporter-0\./],
  [
    [of('host-ports/portmap.save'), ...pods, '--from', '10.244.1.200', '--to', '192.168.2.69:80'],
    0,
    /It goes to hostPort 80\/tcp of Pod shop\/web-0 \(10\.244\.1\.7:80\)\./,
  ],
  [
    [of('host-ports/node-port-too.save'), ...pods, ...node(31647)],
    0,
    /Another rule comes first: it leads to hostPort 31647\/tcp of Pod shop\/web-0 .* and not to Service default\/whoami/,
  ],
];

describe('who answers', () => {
  for (const [args, status, says] of asked) {
    for (const command of ['why', 'trace']) {
      it(`${command} ${args.map((arg) => arg.replace(`${root}/fixtures/`, '')).join(' ')}`, () => {
        const run = runCli([command, ...args]);
        if (command === 'why') assert.equal(run.status, status, run.stdout + run.stderr);
        // A trace of what arrives says no more than its ways.
        if (command === 'why' || /hostPort of|NodeLocal/.test(says.source)) assert.match(run.stdout, says);
      });
    }
  }

  it('says it in JSON too', () => {
    const { answeredBy } = JSON.parse(runCli(['why', cache, ...dns('10.96.0.10'), '-o', 'json']).stdout);
    assert.match(answeredBy, /^NodeLocal DNSCache/);
  });
});

describe('whois of host ports and moved node ports', () => {
  const cluster = ['-f', of('first-aid/cluster.json'), '--node', 'worker-1'];
  for (const [args, status, says] of [
    [['80', ...daemonSet], 0, /^80\/tcp is the hostPort of DaemonSet nginx-ingress\/nginx-ingress/],
    [['192.168.2.69:80', ...pods], 0, /80\/tcp is the hostPort of Pod shop\/web-0/],
    [['10.244.1.7:80', ...pods], 0, /^10\.244\.1\.7 is the Pod shop\/web-0[^\n]*\n$/],
    [['443', of('host-ports/portmap.save')], 0, /^hostPort 443\/tcp: CNI-DN-abc\w+ sends to 10\.244\.1\.7:443/],
    [['81', ...pods], 1, /^81: not found/],
    [
      ['30080', of('first-aid/D.save'), ...cluster],
      1,
      /^30080\/tcp is no node port on this node: 30081 answers for shop\/web:http /,
    ],
    [['30080', of('first-aid/base.save'), ...cluster], 0, /^node port 30080\/tcp is of Service shop\/web:http/],
    [['30099', of('first-aid/D.save'), ...cluster], 1, /^30099 is no node port by the rules of this node/],
    [['30080', of('trace/ipvs-nodeport')], 0, /192\.168\.10\.1:30080\/tcp/],
  ] as const) {
    it(`${args.join(' ').replaceAll(`${root}/fixtures/`, '')}`, () => {
      const run = runCli(['whois', ...args]);
      assert.equal(run.status, status, run.stdout + run.stderr);
      assert.match(run.stdout, says);
    });
  }
});

/** By mode and family: what marks is there, and what masquerades is gone; a rule of another program stands by. */
const lost: readonly (readonly [folder: string, file: string, to: string, gone: RegExp, says: RegExp])[] = [
  [
    'nodeport-legacy',
    'iptables.legacy.v4.save',
    '192.168.10.1:30080',
    /.*requiring SNAT" -j MASQ.*\n/,
    /KUBE-POSTROUTING does not/,
  ],
  [
    'nodeport-legacy',
    'iptables.legacy.v4.save',
    '192.168.10.1:30080',
    /-A POSTROUTING .*\n/,
    /no rule of POSTROUTING leads/,
  ],
  [
    'ipvs-nodeport',
    'iptables.legacy.v4.save',
    '10.96.100.1:80',
    /.*requiring SNAT" -j MASQ.*\n/,
    /KUBE-POSTROUTING does not/,
  ],
  ['ipvs-nodeport', 'iptables.legacy.v4.save', '10.96.100.1:80', /-A POSTROUTING .*\n/, /no rule of POSTROUTING leads/],
  ['clusterip-nftmode', 'nft.txt', '10.96.44.1:9100', /.*masquerade fully-random\n/, /masquerading does not do it/],
  [
    'ipv6-iptnft',
    'iptables.nft.v6.save',
    '[fd00:10:96::1]:80',
    /-A POSTROUTING .*-j KUBE.*\n/,
    /no rule of POSTROUTING leads/,
  ],
];

describe('masquerading that was lost', () => {
  for (const [folder, file, to, gone, says] of lost) {
    it(`${folder}, ${says.source}`, () => {
      const copy = mkdtempSync(join(tmpdir(), 'k8snet-why-'));
      try {
        cpSync(of(`trace/${folder}`), copy, { recursive: true });
        const text = readFileSync(join(copy, file), 'utf8');
        const nat = text.replace(gone, '');
        assert.notEqual(nat, text);
        const flannel = '-A POSTROUTING -m comment --comment flanneld -o flannel.1 -j RETURN\n';
        const [before, after] = nat.split('*nat\n');
        writeFileSync(
          join(copy, file),
          after === undefined ? nat : `${before}*nat\n${after.replace('COMMIT', `${flannel}COMMIT`)}`,
        );
        const from = to.startsWith('[') ? 'fd00:192:168:10::9' : '192.168.10.9';
        const { stdout, status } = runCli(['why', copy, '--from', from, '--to', to, '--in', 'eth0']);
        assert.equal(status, 1, stdout);
        const [first = '', evidence = ''] = stdout.split('\n');
        assert.match(first, says);
        assert.doesNotMatch(first + evidence, /flanneld/);
        assert.doesNotMatch(stdout, /look behind them/);
        assert.match(stdout, /spec\.nodeName=node-1`/);
      } finally {
        rmSync(copy, { recursive: true });
      }
    });
  }
});
