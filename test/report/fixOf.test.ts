import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Finding } from '../../src/findings/finding.ts';
import type { FixNames } from '../../src/findings/fixNames.ts';
import { makeFinding } from '../../src/findings/makeFinding.ts';
import type { FindingCode } from '../../src/problems/problemCode.ts';
import { fixOf } from '../../src/report/fixOf.ts';

const found = (id: FindingCode, parts: Partial<Finding> = {}) => makeFinding(id, { what: '', ...parts });
const fixed = (fix: string, names: FixNames) => fixOf(found('K8N501', { fix }), { names });

it('fills the Service into commands, and only into those', () => {
  const of = (service?: string) => fixOf(found('K8N501', service === undefined ? {} : { service }));
  assert.match(of('shop/web:http'), /`kubectl -n shop describe service web`/);
  assert.match(of('shop/web:http'), /`kubectl -n shop get pods -o wide --show-labels`/);
  assert.match(of('shop/web'), /`kubectl -n shop describe service web`/);
  assert.match(of(), /`kubectl -n NAMESPACE describe service NAME`/);
  const columns = fixOf(found('K8N902', { service: 'shop/web' }));
  assert.match(columns, /-n shop get pods -o custom-columns=NAME:\.metadata/);
  assert.equal(fixed('Call NODE, then `ping NODE`.', { node: 'n1' }), 'Call NODE, then `ping n1`.');
});

it('fills in the node and its Pod of kube-proxy', () => {
  const names = { node: 'worker-1.example', proxyPod: 'kube-proxy-x7k2p' };
  const fix = fixOf(found('K8N501'), { names }) + fixOf(found('K8N703'), { names });
  assert.doesNotMatch(fix, /\bNODE\b|\bPOD\b/);
  const log =
    '`kubectl -n kube-system logs POD` `kubectl drain NODE` `kubectl debug node/NODE` `iptables -N KUBE-NODE-PORT`';
  assert.equal(
    fixed(log, names),
    '`kubectl -n kube-system logs kube-proxy-x7k2p` `kubectl drain worker-1.example` `kubectl debug node/worker-1.example` `iptables -N KUBE-NODE-PORT`',
  );
});

it('takes the range of Pods of the family that the tool is for', () => {
  const both = { podRanges: ['10.244.0.0/16', 'fd00:10::/56'] };
  const v4 = { podRanges: ['10.244.0.0/16'] };
  assert.equal(fixed('`iptables -s POD-RANGE`', both), '`iptables -s 10.244.0.0/16`');
  assert.equal(fixed('`ip6tables -s POD-RANGE`', both), '`ip6tables -s fd00:10::/56`');
  assert.equal(
    fixed('`nft add rule inet f i ip6 saddr POD-RANGE`', both),
    '`nft add rule inet f i ip6 saddr fd00:10::/56`',
  );
  assert.equal(fixed('`ip6tables -s POD-RANGE`', v4), '`ip6tables -s POD-RANGE`');
  assert.equal(fixed('`ufw route allow to POD-RANGE`', v4), '`ufw route allow to 10.244.0.0/16`');
  assert.equal(fixed('`ufw route allow to POD-RANGE`', both), '`ufw route allow to POD-RANGE`');
});

it('keeps a range that may be one node’s alone out of rules about all Pods', () => {
  const names = { podRanges: ['10.244.1.0/24'] };
  assert.match(fixOf(found('K8N411'), { names }), /-s CLUSTER-RANGE -d CLUSTER-RANGE/);
  const all = { ...names, clusterRanges: ['10.244.0.0/16'] };
  assert.match(fixOf(found('K8N411'), { names: all }), /-s 10\.244\.0\.0\/16 -d 10\.244\.0\.0\/16/);
});

it('fills in what the finding itself knows, before what the report does', () => {
  const fix = '`curl -m 3 ADDRESS:PORT` `grep ADDRESS` `curl http://NODE:PORT`';
  const of = (names: FixNames) =>
    fixOf(found('K8N501', { fix, names }), { names: { node: 'n1', address: '192.0.2.1' } });
  assert.equal(of({ address: '10.0.0.1', port: 80 }), '`curl -m 3 10.0.0.1:80` `grep 10.0.0.1` `curl http://n1:80`');
  assert.equal(of({ address: 'fd00::1', port: 80 }), "`curl -m 3 '[fd00::1]:80'` `grep fd00::1` `curl http://n1:80`");
  assert.equal(of({ port: Number.NaN }), '`curl -m 3 ADDRESS:PORT` `grep 192.0.2.1` `curl http://n1:PORT`');
});

it('puts nothing into a command that is no name', () => {
  for (const hostile of [
    '$(reboot)',
    'a;b',
    'a b',
    '-n',
    '--all',
    "'a",
    '"',
    '`id`',
    'a\nb',
    '\u001b[31mred',
    '',
    'a|b',
    '>x',
  ]) {
    for (const service of [`shop/${hostile}`, `${hostile}/web`])
      assert.match(fixOf(found('K8N501', { service })), /-n NAMESPACE describe service NAME`/, service);
    const names = { node: hostile, proxyPod: hostile, podRanges: [hostile], address: hostile };
    const fix = '`kubectl drain NODE; logs POD; iptables -s POD-RANGE; grep ADDRESS`';
    assert.equal(fixed(fix, names), fix, hostile);
  }
});
