import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { factKindOf } from '../../src/dump/factFiles.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { proxySeen } from '../../src/seen/proxySeen.ts';

/** What kube-proxy says of itself, in the words of each version. */
const read = (...files: readonly DumpFile[]) => readDumps(files, { name: 'n1' });
const healthz = (text: string): DumpFile => ({ name: 'healthz.txt', text });
const since133 = (ipv4: boolean, ipv6: boolean) =>
  healthz(
    `{"lastUpdated":"2026-11-24T14:00:20.000000001Z","currentTime":"2026-11-24T14:14:20Z","nodeEligible":true,"healthy":${ipv4 && ipv6},"status":{"IPv4":{"lastUpdated":"2026-11-24T14:00:20Z","healthy":${ipv4}},"IPv6":{"lastUpdated":"2026-11-24T14:14:19Z","healthy":${ipv6}}}}\n`,
  );
const until132 = (last: string, rest = ', "nodeEligible": true') =>
  healthz(`{"lastUpdated": "${last}","currentTime": "2026-11-24 14:14:20.5 +0000 UTC m=+900.1"${rest}}`);

const seen = (...files: readonly DumpFile[]) =>
  diagnoseDump(read(...files)).findings.flatMap(({ code, what, severity }) =>
    code === 'K8N217' ? [`${severity}: ${what}`] : [],
  );

test('/healthz names the family whose syncs wait', () => {
  assert.deepEqual(seen(since133(true, true)), []);
  assert.deepEqual(seen(since133(false, true)), [
    'error: kube-proxy says that it is not healthy: its last successful sync of IPv4 rules was 14 min ago, and changes wait',
  ]);
});

test('/healthz up to 1.32 says now while all is well', () => {
  const now = '2026-11-24 14:14:20.5 +0000 UTC m=+900.1';
  assert.deepEqual(seen(until132(now)), []);
  assert.deepEqual(seen(until132(now, '')), []);
  assert.deepEqual(seen(until132('2026-11-24 16:13:40.5 +0200 CEST m=+1')), [
    'error: kube-proxy says that it is not healthy: its last successful sync of rules was 40 s ago, and changes wait',
  ]);
});

test('a node that is about to be deleted is not taken for a sick kube-proxy', () => {
  assert.deepEqual(seen(until132('2026-11-24 14:00:00 +0000 UTC m=+1', ', "nodeEligible": false')), []);
});

test('what is no answer of /healthz is listed as not read', () => {
  for (const text of ['{"lastUpdated": "soon"}', '{"lastUpdated": {"a": 1}}', '{"lastUpdated": "2026-']) {
    const node = read({ ...healthz(text), kind: 'healthz' });
    assert.equal(node.proxy.health.length, 0);
    assert.equal(node.unread.length, 1, text);
  }
});

const metrics = (failures: number, queued: string, last: string): DumpFile => ({
  name: 'metrics.txt',
  text: `# HELP kubeproxy_sync_proxy_rules_last_timestamp_seconds The last time
# TYPE kubeproxy_sync_proxy_rules_last_timestamp_seconds gauge
kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"} ${last}
kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds{ip_family="IPv4"} ${queued}
kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family="IPv4"} ${failures}
kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total{ip_family="IPv4"} 7
kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family="IPv6"} 0
process_start_time_seconds 1.7955e+09
`,
});

test('/metrics: failed syncs count while a change waits, and are no verdict', () => {
  assert.deepEqual(seen(metrics(0, '1.795508653e+09', '1.7955e+09')), []);
  assert.deepEqual(seen(metrics(4, '1.7955e+09', '1.795508653e+09')), []);
  assert.deepEqual(seen(metrics(4, '1.795508653e+09', '1.7955e+09')), [
    'info: kube-proxy counts 4 failed syncs of IPv4 rules, and a change has come since the last one that succeeded',
  ]);
  assert.deepEqual(seen(metrics(1, '1.795508653e+09', '0')), [
    'info: kube-proxy counts 1 failed sync of IPv4 rules, and no sync has succeeded',
  ]);
});

test('/proxyMode decides the mode, whatever the rules show', () => {
  const file = (text: string): DumpFile => ({ name: 'proxy-mode.txt', text, kind: 'proxyMode' });
  assert.equal(proxySeen(read(file('nftables'))).mode, 'nftables');
  assert.equal(proxySeen(read(file('iptables\n'))).mode, 'iptables');
  const odd = read(file('<html>\u001b[31m'));
  assert.equal(odd.proxy.mode, undefined);
  assert.equal(odd.unread.length, 1);
});

test('what collect puts beside dumps has its kind by its name', () => {
  assert.equal(factKindOf('cluster/n1/facts/proxy-mode.txt'), 'proxyMode');
  assert.equal(factKindOf('facts/healthz.txt'), 'healthz');
  assert.equal(factKindOf('facts/version.nft.txt'), undefined);
});

test('rules and what kube-proxy says come apart in one text', () => {
  const text = `*nat\n:KUBE-SERVICES - [0:0]\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n${since133(false, true).text}${metrics(0, '2', '1').text}`;
  const node = read({ name: 'all.txt', text });
  assert.deepEqual(
    node.proxy.health.map(({ family, isHealthy, line }) => [family, isHealthy, line]),
    [
      ['ipv4', false, 5],
      ['ipv6', true, 5],
    ],
  );
  assert.equal(node.proxy.syncs.length, 2);
  assert.deepEqual(node.unread, []);
});
