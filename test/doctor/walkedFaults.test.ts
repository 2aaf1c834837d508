import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseNode } from '../../src/doctor/diagnoseNode.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** Rules of other programs that stop or take packets to Services, in every mode: one finding a rule, of that rule. */

const folder = join(root, 'golden/recorded/services/lb-basic');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const firstAid = (file: string) => join(root, 'fixtures/first-aid', file);

function walked(files: Readonly<Record<string, string>>, family: 'ipv4' | 'ipv6' = 'ipv4'): readonly Finding[] {
  const dump = readDumps(
    Object.entries(files).map(([name, text]) => ({ name, text })),
    { name: 'node', family },
  );
  return diagnoseNode(dump).findings.filter(({ code }) => /^K8N5(?:18|19|20)$/.test(code));
}

/** The lines of the rules that are named. */
const named = (found: readonly Finding[], files: Readonly<Record<string, string>>) =>
  found.map(({ code, severity, found: [place] }) => {
    const text = files[place?.file ?? ''] ?? '';
    return `${code} ${severity} ${text.split('\n')[(place?.line ?? 0) - 1]?.trim()}`;
  });

const insert = (text: string, table: string, rule: string) =>
  text.replace(new RegExp(`^(\\*${table}\\n(?::.*\\n)*)`, 'm'), `$1${rule}\n`);

const iptables = read('iptables/iptables.v4.save');
const endpoint = /--to-destination (\d+\.\d+\.\d+\.\d+):/.exec(iptables)?.[1];
const nodePort = /-A KUBE-NODEPORTS -p tcp .*--dport (\d+)/.exec(iptables)?.[1];

describe('doctor names a rule of another program, in iptables mode', () => {
  const cases: readonly (readonly [what: string, table: string, rule: string, expected: string])[] = [
    ['that drops what is for an endpoint', 'filter', `-A FORWARD -d ${endpoint}/32 -j DROP`, 'K8N518 error'],
    [
      'that rejects all that Pods send',
      'filter',
      '-A FORWARD -s 10.244.0.0/16 -j REJECT --reject-with icmp-port-unreachable',
      'K8N518 error',
    ],
    ['that exempts cluster IPs from tracking', 'raw', '-A PREROUTING -d 10.96.0.0/12 -j NOTRACK', 'K8N520 error'],
    [
      'that answers for a node port',
      'nat',
      `-A PREROUTING -p tcp -m tcp --dport ${nodePort} -m addrtype --dst-type LOCAL -j DNAT --to-destination 10.244.9.9:80`,
      'K8N519 error',
    ],
  ];
  for (const [what, table, rule, expected] of cases) {
    it(what, () => {
      const raw = '*raw\n:PREROUTING ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\nCOMMIT\n';
      const files = { 'a.save': insert(`${table === 'raw' ? raw : ''}${iptables}`, table, rule) };
      const dump = readDumps([{ name: 'a.save', text: files['a.save'] }], { name: 'node', family: 'ipv4' });
      const all = diagnoseNode(dump).findings.filter(({ severity }) => severity === 'error');
      // Its shape may say it first: one finding of one rule, all the same.
      assert.equal(all.length, 1, all.map(({ code, what }) => `${code} ${what}`).join('\n'));
      const [finding] = all as [Finding];
      const line = files['a.save'].split('\n')[(finding.found[0]?.line ?? 0) - 1];
      assert.equal(line, rule);
      if (finding.code !== 'K8N606') assert.equal(`${finding.code} ${finding.severity}`, expected);
      if (finding.code !== 'K8N606') assert.match(finding.fix, /^`k8snet why a\.save --from \S+ --to \S+ --proto tcp/);
    });
  }

  it('but no rule that takes nothing of a Service', () => {
    for (const rule of [
      '-A FORWARD -s 198.51.100.66/32 -j DROP',
      '-A FORWARD -d 10.244.250.250/32 -j DROP',
      '-A INPUT -p tcp -m tcp --dport 3306 -j DROP',
      '-A FORWARD -p tcp -m tcp --dport 25 -j REJECT --reject-with icmp-port-unreachable',
      '-A FORWARD -m set --match-set blocked src -j DROP',
      '-A FORWARD -m physdev --physdev-in veth17 -j DROP',
    ]) {
      const files = { 'a.save': insert(iptables, 'filter', rule) };
      assert.deepEqual(named(walked(files), files), [], rule);
    }
  });

  it('as a warning where it closes the node to the world alone', () => {
    const rule = `-A PREROUTING -i eth0 -p tcp -m tcp --dport ${nodePort} -j DROP`;
    const files = {
      'a.save': insert(
        `*mangle\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n${iptables.replace(/\*mangle[\s\S]*?COMMIT\n/, '')}`,
        'mangle',
        rule,
      ),
    };
    const found = walked(files);
    assert.ok(
      found.every(({ severity }) => severity !== 'error'),
      named(found, files).join('\n'),
    );
  });

  it('once, whatever number of Services it takes, with their names', () => {
    const base = readFileSync(firstAid('base.save'), 'utf8');
    const files = { 'a.save': insert(base, 'filter', '-A FORWARD -s 10.244.0.0/16 -j DROP') };
    const found = walked(files);
    assert.equal(found.length, 1);
    assert.ok((found[0]?.services?.length ?? 0) > 1);
    assert.match(found[0]?.what ?? '', /^a rule of another program in filter FORWARD drops packets to \S+ /);
  });
});

describe('doctor names a rule of another program, in other modes', () => {
  it('nftables', () => {
    const nft = read('nftables/nft.v4.save');
    const rule = `ip daddr ${endpoint} drop`;
    const files = {
      'a.nft': `${nft}table ip guard {\n\tchain forward {\n\t\ttype filter hook forward priority filter; policy accept;\n\t\t${rule}\n\t}\n}\n`,
    };
    assert.deepEqual(named(walked(files), files), [`K8N518 error ${rule}`]);
    const other = { 'a.nft': files['a.nft'].replace(rule, 'ip daddr 10.244.250.250 drop') };
    assert.deepEqual(named(walked(other), other), []);
  });

  it('IPVS', () => {
    const ipvs = read('ipvs/ipvsadm.v4.save');
    const server = /-r (\d[\d.]+):/.exec(ipvs)?.[1];
    assert.ok(server);
    const rule = `-A POSTROUTING -d ${server}/32 -j DROP`;
    const mangle = `*mangle\n:POSTROUTING ACCEPT [0:0]\n${rule}\nCOMMIT\n`;
    const files = {
      'a.save': `${read('ipvs/iptables.v4.save').replace(/\*mangle[\s\S]*?COMMIT\n/, '')}${mangle}`,
      'a.ipvs': ipvs,
      'a.ipset': read('ipvs/ipset.v4.save'),
    };
    assert.deepEqual(named(walked(files), files), [`K8N518 error ${rule}`]);
  });

  it('iptables mode of IPv6', () => {
    const saved = readFileSync(
      join(root, 'golden/recorded/services/config-clustercidr-v6-only/iptables/iptables.v6.save'),
      'utf8',
    );
    const target = /--to-destination \[([^\]]+)\]/.exec(saved)?.[1];
    const rule = `-A FORWARD -d ${target}/128 -j DROP`;
    const files = { 'a.save': insert(saved, 'filter', rule) };
    assert.deepEqual(named(walked(files, 'ipv6'), files), [`K8N518 error ${rule}`]);
  });
});

describe('doctor says of the first-aid nodes', () => {
  const expected: readonly (readonly [file: string, id: string, line: RegExp])[] = [
    ['I2.save', 'K8N518', /-A FORWARD -i eth0 -j REJECT/],
    ['M.save', 'K8N518', /-A FORWARD -d 10\.244\.1\.3\/32 -j DROP/],
    ['M2.save', 'K8N518', /--dport 32222 -j DROP/],
    ['M3.save', 'K8N520', /-j NOTRACK/],
    ['M4.save', 'K8N606', /-j REDIRECT/],
    ['hp4.save', 'K8N519', /-A CNI-DN-\S+ .*--to-destination 10\.244\.1\.7:80/],
  ];
  for (const [file, id, line] of expected) {
    it(`${file}: ${id}`, () => {
      const run = runCli(['doctor', firstAid(file), '-o', 'json']);
      assert.equal(run.status, 1);
      const errors = JSON.parse(run.stdout).findings.filter(
        ({ severity }: { readonly severity: string }) => severity !== 'info',
      );
      assert.deepEqual(
        errors.map(({ id }: { readonly id: string }) => id),
        [id],
      );
      const lines = readFileSync(firstAid(file), 'utf8').split('\n');
      assert.match(lines[errors[0].found[0].line - 1] ?? '', line);
    });
  }

  it('base.save: nothing', () => {
    assert.equal(runCli(['doctor', firstAid('base.save')]).status, 0);
  });
});
