import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { compareManifests } from '../../src/diff/compare/compareManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { dumpChecks } from '../../src/findings/checks/dumpChecks.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { root } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';

const nat = (address: string) => `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
-A PREROUTING -j KUBE-SERVICES
-A KUBE-SERVICES -d ${address} -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j ACCEPT
COMMIT
`;
const [v4, v6] = [nat('10.96.0.10/32'), nat('fd02::a/128')];
const read = (...texts: readonly string[]) =>
  readDumps(
    texts.map((text, at) => ({ name: `dump${at}`, text })),
    { name: 'n' },
  );

it('one finding names a table that was left out of both families', () => {
  const seen = dumpChecks(read(v4, v6)).flatMap(({ finding }) => (finding.code === 'K8N107' ? finding.what : []));
  assert.deepEqual(seen, ['the table filter of ipv4 and ipv6 is not in the dump']);
});

const dual = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10, "fd02::a"], ipFamilyPolicy: RequireDualStack, ports: [{ port: 80 }] }
`;

it('and one the table and the family', async () => {
  const { compiled } = await compileText(dual);
  const options = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
  const found = compareManifests(compiled, read(v4), options).findings.filter(({ code }) => code === 'K8N107');
  assert.equal(found.length, 1);
  assert.match(found[0]?.what ?? '', /^the table filter of ipv4 is not .*; 1 Service port uses ipv6, and no dump/);
});

it('a table that was left out fails no run', () => {
  const found = dumpChecks(read(v4)).flatMap(({ finding }) => (finding.code === 'K8N107' ? finding : []));
  assert.deepEqual(found.map(isFailing), [false]);
});

it('of nftables mode, nft prints the other family', async () => {
  const { compiled } = await compileText(dual, '--mode', 'nftables');
  const whole = readFileSync(join(root, 'golden/recorded/nft-dialects/dualstack-basic/1.36/nft.v4.save'), 'utf8');
  const dump = read(whole);
  const options = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
  const found = compareManifests(compiled, dump, options).findings.filter(({ code }) => code === 'K8N107');
  assert.match(found[0]?.fix ?? '', /`nft list ruleset > node1\.nft`/);
  assert.doesNotMatch(found[0]?.fix ?? '', /iptables/);
});
