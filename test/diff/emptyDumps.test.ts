import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileCase, root } from '../support/compileCase.ts';

const recorded = (file: string) => readFileSync(join(root, 'golden/recorded/services/lb-basic', file), 'utf8');
const whole: Readonly<Record<string, string>> = {
  'n1.save': recorded('ipvs/iptables.v4.save'),
  'ipset.save': recorded('ipvs/ipset.v4.save'),
  'ipvsadm.txt': recorded('ipvs/ipvsadm.v4.save'),
  'addr.txt': recorded('ipvs/addresses.v4'),
};

/** What fails of a node, and notes; without `family` the manifests are compiled for both. */
async function diff(files: Readonly<Record<string, string>>, mode = 'ipvs', ...family: readonly string[]) {
  const { compiled } = await compileCase('services/lb-basic', '--mode', mode, ...family);
  assert.ok(compiled);
  const dump = readDumps(
    Object.entries(files).map(([name, text]) => ({ name: `dumps/${name}`, text })),
    { name: 'n1' },
  );
  const options = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
  const report = diffManifests(compiled, dump, options);
  assert.deepEqual(report.unread, []);
  return { failing: report.findings.filter(isFailing), notes: report.notes };
}

function seen({ failing }: Awaited<ReturnType<typeof diff>>): readonly string[] {
  return failing.map(({ code, what: text }) => `${code} ${text}`).sort();
}

const noServers = ['10.96.110.1:443', '192.168.10.1:32443', '203.0.113.10:443'].map(
  (address) => `K8N201 no virtual server for ${address}/tcp`,
);

describe('a program of IPVS mode that had nothing to show', () => {
  it('says nothing of the whole dump', async () => {
    assert.deepEqual(seen(await diff(whole)), []);
  });

  it('ipvsadm: every virtual server is missing, whatever is left of its headings', async () => {
    const version = 'IP Virtual Server version 1.2.1 (size=4096)\n';
    const columns = 'Prot LocalAddress:Port Scheduler Flags\n  -> RemoteAddress:Port           Forward Weight\n';
    assert.deepEqual(seen(await diff({ ...whole, 'ipvsadm.txt': '' })), noServers);
    const { 'ipvsadm.txt': _, ...rest } = whole;
    for (const text of [version, columns, version + columns, `${version}${columns}\r\n`]) {
      assert.deepEqual(seen(await diff({ ...rest, 'out.txt': text })), noServers);
    }
  });

  it('ipset: every set with members is missing', async () => {
    const lost = seen(await diff({ ...whole, 'ipset.save': '\n' }));
    assert.ok(
      lost.length > 0 && lost.every((line) => /^K8N702 the set KUBE-\S+ is missing, and with it \S/.test(line)),
    );
    assert.ok(lost.some((line) => line.includes('KUBE-CLUSTER-IP is missing, and with it 10.96.110.1,tcp:443')));
    assert.ok(!lost.some((line) => line.includes('KUBE-6-')));
  });

  it('kube-ipvs0: every address is missing, whether by an empty file or by a device that has none', async () => {
    const lost = ['K8N701 kube-ipvs0 lacks 10.96.110.1, 203.0.113.10'];
    assert.deepEqual(seen(await diff({ ...whole, 'addr.txt': '' })), lost);
    const { 'addr.txt': _, ...rest } = whole;
    const device = `5: kube-ipvs0: <BROADCAST,NOARP> mtu 1500 qdisc noop state DOWN group default
    link/ether 4e:9f:6d:e1:07:5c brd ff:ff:ff:ff:ff:ff
    inet6 fe80::4c9f:6dff:fee1:75c/64 scope link
       valid_lft forever preferred_lft forever
`;
    assert.deepEqual(seen(await diff({ ...rest, 'out.txt': device })), lost);
    assert.deepEqual(
      seen(
        await diff({
          ...rest,
          'out.txt': device.replace('    inet6', '    inet 10.96.110.1/32 scope global kube-ipvs0\n    inet6'),
        }),
      ),
      ['K8N701 kube-ipvs0 lacks 203.0.113.10'],
    );
  });

  it('goes by the family that the name tells, and gives way to what shows something', async () => {
    assert.deepEqual(seen(await diff({ ...whole, 'ipvsadm.v6.save': '', 'ipset.v6.save': '' })), []);
    assert.deepEqual(seen(await diff({ ...whole, 'old-ipvsadm.txt': '' })), []);
    const { 'ipvsadm.txt': _, ...rest } = whole;
    assert.deepEqual(seen(await diff({ ...rest, 'ipvsadm.v4.save': '' })), noServers);
    assert.deepEqual(seen(await diff({ ...rest, 'ipvsadm.v6.save': '' })), []);
  });

  it('says plainly that nothing tells what printed an empty file', async () => {
    const { 'ipvsadm.txt': _, ...rest } = whole;
    const report = await diff({ ...rest, 'n1.out': ' \n' });
    assert.deepEqual(seen(report), []);
    assert.ok(report.notes.includes('dumps/n1.out is empty, and neither text nor name tells what printed it'));
    assert.ok(report.notes.includes('what ipvsadm -Sn prints was not given: it is not compared'));
    const legacy = await diff({ ...whole, 'iptables.legacy.v4.save': '', 'nft.txt': '' });
    assert.deepEqual([legacy.failing, legacy.notes], [[], (await diff(whole)).notes]);
  });

  it('means nothing in other modes', async () => {
    const save = recorded('iptables/iptables.v4.save');
    const report = await diff({ 'n1.save': save, 'ipset.save': '', 'ipvsadm.txt': '', 'addr.txt': '' }, 'iptables');
    assert.deepEqual([seen(report), report.notes], [[], []]);
  });
});

describe('tables without any chain of kube-proxy', () => {
  const bare = '*nat\n:PREROUTING ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\nCOMMIT\n*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n';

  it('lack every Service, and one finding says so', async () => {
    const lost = seen(await diff({ 'n1.save': bare }, 'iptables', '--family', 'ipv4'));
    assert.deepEqual(lost, [
      'K8N111 no rule of kube-proxy is in n1, which has no rule of any program that k8snet knows',
    ]);
  });

  it('lack the chains of IPVS mode', async () => {
    const lost = seen(await diff({ ...whole, 'n1.save': bare }, 'ipvs', '--family', 'ipv4'));
    assert.ok(lost.some((line) => line.startsWith('K8N207 PREROUTING of the table nat')));
  });
});

it('sets without rules show nothing to check', () => {
  const dump = readDumps([{ name: 'ipset.save', text: whole['ipset.save'] as string }], { name: 'n' });
  assert.match(diagnoseDump(dump).notes.join('\n'), /^only ipsets are in the dump/);
});
