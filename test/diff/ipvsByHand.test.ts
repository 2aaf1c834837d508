import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** As JSON output has it. */
interface JsonFinding {
  readonly id: string;
  readonly seen: string;
  readonly severity: string;
  readonly why: string;
  readonly fix: string;
  readonly service?: string;
}

/** Changes that people and programs make on nodes in IPVS mode: what is said of each must be true, and its remedy help. */
const recorded = (file: string) =>
  readFileSync(join(root, 'golden/recorded/services/nodeport-basic/ipvs', file), 'utf8');
const whole = {
  'iptables.save': recorded('iptables.v4.save'),
  'ipset.save': recorded('ipset.v4.save'),
  'ipvsadm.save': recorded('ipvsadm.v4.save'),
  'addresses.txt': recorded('addresses.v4'),
};

type File = keyof typeof whole;

const settings = ['--cluster-cidr', '10.244.0.0/16', '--kube-version', '1.30'];

function changed(file: File, from: string | RegExp, to: string): Record<File, string> {
  const text = whole[file].replace(from, to);
  assert.notEqual(text, whole[file]);
  return { ...whole, [file]: text };
}

function diff(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const manifests = 'fixtures/services/nodeport-basic/manifests.yaml';
    const node = ['--node', 'node-1', '--family', 'ipv4', '--mode', 'ipvs'];
    const { status, stdout, stderr } = runCli([
      'diff',
      '-f',
      manifests,
      ...node,
      ...settings,
      ...args,
      '-o',
      'json',
      folder,
    ]);
    assert.ok(stdout !== '', stderr);
    const { findings, notes } = JSON.parse(stdout) as { findings: readonly JsonFinding[]; notes: readonly string[] };
    return { status, findings, notes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The only finding that is said beside those of the whole dump. */
function only(files: Readonly<Record<string, string>>, ...args: readonly string[]): JsonFinding {
  const usual = new Set(diff(whole, ...args).findings.map(({ id, seen }) => id + seen));
  const findings = diff(files, ...args).findings.filter(({ id, seen }) => !usual.has(id + seen));
  assert.equal(findings.length, 1, findings.map(({ id, seen }) => `${id} ${seen}`).join('\n'));
  return findings[0] as JsonFinding;
}

const server = '-a -t 10.96.100.1:80 -r 10.244.2.101:8080 -m -w';

describe('virtual servers of another program', () => {
  const prefixed = (text: string) => diff(changed('ipvsadm.save', /^/, text));

  it('are named in a note, and are no fault of kube-proxy', () => {
    const routed = '-A -t 192.168.10.200:6443 -s wlc -p 50\n-a -t 192.168.10.200:6443 -r 192.168.10.1:6443 -g -w 1\n';
    for (const [text, name] of [
      [routed, '192.168.10.200:6443/tcp'],
      ['-A -f 100 -s rr\n-a -f 100 -r 192.168.10.1:0 -m -w 1\n', 'fwmark 100'],
    ] as const) {
      const { status, notes } = prefixed(text);
      assert.equal(status, 0);
      assert.ok(notes.some((note) => note.startsWith(`virtual servers of another program are not compared (${name})`)));
    }
  });

  it('do not hide which mode kube-proxy is in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));
    try {
      const nft = readFileSync(join(root, 'golden/recorded/services/nodeport-basic/nftables/nft.v4.save'), 'utf8');
      writeFileSync(join(folder, 'nft.save'), nft);
      writeFileSync(
        join(folder, 'ipvsadm.save'),
        '-A -t 192.168.10.200:6443 -s rr\n-a -t 192.168.10.200:6443 -r 192.168.10.1:6443 -m -w 1\n',
      );
      const manifests = ['-f', 'fixtures/services/nodeport-basic/manifests.yaml', '--node', 'node-1'];
      const { stdout } = runCli(['diff', ...manifests, '--family', 'ipv4', folder]);
      assert.match(stdout, /^note: settings as the dump shows them: --mode nftables /m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are not destroyed by advice where they look like kube-proxy’s own', () => {
    const found = only(
      changed(
        'ipvsadm.save',
        /^/,
        '-A -t 192.168.10.200:6443 -s rr\n-a -t 192.168.10.200:6443 -r 192.168.10.1:6443 -m -w 1\n',
      ),
    );
    assert.equal(found.id, 'K8N202');
    assert.match(found.fix, /^If another program needs it, name its address in `ipvs.excludeCIDRs` first/);
    assert.doesNotMatch(found.fix, /drain/);
  });
});

describe('settings that no configuration was given for', () => {
  const note = ({ notes }: ReturnType<typeof diff>) => notes.find((one) => one.startsWith('settings as the dump'));

  it('are those that all of the node shows', () => {
    for (const [files, flag] of [
      [changed('ipvsadm.save', /-s rr/g, '-s lc'), '--ipvs-scheduler lc'],
      [changed('iptables.save', /0x4000/g, '0x10000'), '--iptables-masquerade-bit 16'],
      [changed('iptables.save', '! -s 10.244.0.0/16 ', ''), '--masquerade-all'],
    ] as const) {
      const report = diff(files);
      assert.equal(report.status, 0, JSON.stringify(report.findings.map(({ seen }) => seen)));
      assert.match(note(report) ?? '', new RegExp(flag));
    }
  });

  it('are the defaults where a part of the node differs', () => {
    const one = only(changed('ipvsadm.save', '-s rr', '-s lc'));
    assert.equal(`${one.id} ${one.seen}`, 'K8N702 10.96.100.1:80/tcp chooses servers by lc instead of rr');
    assert.match(one.fix, /^Compare `ipvs.scheduler`/);
    const mark = only(changed('iptables.save', 'MARK --set-xmark 0x4000/0x4000', 'MARK --set-xmark 0x8000/0x8000'));
    assert.equal(mark.seen, 'KUBE-MARK-MASQ uses the mark 0x8000 instead of 0x4000');
  });

  it('are those given, by flags too', () => {
    assert.equal(diff(changed('ipvsadm.save', /-s rr/g, '-s lc'), '--ipvs-scheduler', 'rr').status, 1);
    assert.equal(diff(changed('iptables.save', /0x4000/g, '0x10000'), '--iptables-masquerade-bit', '14').status, 1);
  });
});

describe('kube-ipvs0', () => {
  it('that is gone lacks all addresses, whatever shows it', () => {
    const lacks = 'K8N701 kube-ipvs0 lacks 10.96.100.1';
    for (const text of ['', 'Device "kube-ipvs0" does not exist.\n']) {
      const files = { ...whole, 'addresses.txt': text };
      const found = only(files);
      assert.equal(`${found.id} ${found.seen}`, lacks);
      const dump = readDumps(
        Object.entries(files).map(([name, own]) => ({ name, text: own })),
        { name: 'n1', family: 'ipv4' },
      );
      assert.deepEqual(
        diagnoseDump(dump)
          .findings.filter(isFailing)
          .map(({ code, what }) => `${code} ${what}`),
        [lacks],
      );
    }
  });
});

describe('weight 0', () => {
  it('is no sign of termination where the manifests have the endpoint as ready', () => {
    const found = only(changed('ipvsadm.save', `${server} 1`, `${server} 0`));
    assert.equal(`${found.id} ${found.severity}`, 'K8N703 info');
    assert.match(found.why, /^It gets no new connections\. The manifests have the endpoint as ready/);
    assert.match(found.fix, /If it is terminating, wait.* If it is ready: Restart kube-proxy/);
  });

  it('is that of a terminating endpoint where they do not', () => {
    const found = only(changed('ipvsadm.save', `${server} 1`, `${server} 1\n${server.replace('101', '199')} 0`));
    assert.match(`${found.id} ${found.why}`, /^K8N703 The endpoint is terminating/);
  });

  it('fails where no other server takes connections', () => {
    const { status, findings } = diff(changed('ipvsadm.save', /^(-a -t 10\.96\.100\.1:80 .*) 1$/gm, '$1 0'));
    assert.equal(status, 1);
    assert.match(findings.find(({ id }) => id === 'K8N703')?.why ?? '', /they are refused\./);
  });
});

describe('sets', () => {
  it('of another version of kube-proxy that are left do no harm', () => {
    const left = 'create KUBE-NODE-PORT-LOCAL-SCTP bitmap:port range 0-65535\n';
    const found = only(changed('ipset.save', /$/, left));
    assert.equal(`${found.id} ${found.severity}`, 'K8N210 info');
    assert.match(found.fix, /^Nothing to do\. `ipset destroy KUBE-NODE-PORT-LOCAL-SCTP` removes it/);
  });

  it('of another type are not helped by a restart', () => {
    const found = only(changed('ipset.save', 'KUBE-LOOP-BACK hash:ip,port,ip ', 'KUBE-LOOP-BACK hash:ip,port '));
    assert.equal(found.seen, 'the set KUBE-LOOP-BACK is of the type hash:ip,port instead of hash:ip,port,ip');
    assert.match(found.fix, /^Drain the node .* and reboot it/);
  });
});

describe('rules of IPVS mode', () => {
  it('that were lost are no matter of configuration', () => {
    for (const [line, id] of [
      [/^-A KUBE-SERVICES ! -s .*\n/m, 'K8N401'],
      [/^-A KUBE-IPVS-FILTER .*-j REJECT.*\n/m, 'K8N704'],
    ] as const) {
      const found = only(changed('iptables.save', line, ''));
      assert.equal(found.id, id);
      assert.match(found.why, /^The chain was flushed or changed/);
      assert.match(found.fix, /^Restart kube-proxy/);
    }
    const { findings } = diff(changed('iptables.save', /^-A KUBE-MARK-MASQ .*\n/m, ''));
    assert.match(findings.find(({ id }) => id === 'K8N409')?.fix ?? '', /^Restart kube-proxy/);
  });

  it('show that kube-proxy runs with other settings than those given', () => {
    const other = only(changed('iptables.save', '! -s 10.244.0.0/16', '! -s 10.99.0.0/16'));
    assert.equal(
      `${other.id} ${other.seen}`,
      'K8N401 KUBE-SERVICES knows local Pods by 10.99.0.0/16, not by 10.244.0.0/16',
    );
    assert.match(other.why, /one of the two is wrong/);
    const spared = diff(whole, '--masquerade-all').findings.find(({ id }) => id === 'K8N401');
    assert.match(spared?.seen ?? '', /knows local Pods by 10\.244\.0\.0\/16, and should mark what they send too$/);
    const config = ['--config', 'fixtures/services/nodeport-basic/config.yaml'];
    const all = only(changed('iptables.save', '! -s 10.244.0.0/16 ', ''), ...config);
    assert.equal(`${all.id} ${all.severity}`, 'K8N408 warning');
    const none = only(changed('iptables.save', /! -s 10\.244\.0\.0\/16 (.*KUBE-CLUSTER-IP) dst,dst/, '$1 src,dst'));
    assert.match(none.why, /knows no clusterCIDR/);
  });
});
