import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { shownFiles } from '../support/healthy/askHealthy.ts';
import { type Fault, type HealthyCase, healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { manifestsOf } from '../support/healthy/healthyFindings.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';
import { savedTable } from '../support/healthy/savedTable.ts';
import { localService } from '../support/localService.ts';
import { runCli } from '../support/runCli.ts';

/** Beside rules of other programs, only what kube-proxy's rules do to packets differs from manifests. */

interface Comparison {
  readonly status: number | null;
  readonly summary: {
    readonly families: readonly string[];
    readonly skipped: readonly string[];
    readonly different: number;
    readonly unknown: number;
  };
  readonly findings: readonly { readonly service: string | null }[];
  readonly stderr: string;
}

describe('packets on a healthy node with rules of other programs', () => {
  for (const name of healthyNames()) {
    const healthy = readHealthyCase(name);
    it(`${name}: fare as the manifests say`, () => {
      const { status, summary, findings } = compare(healthy, [join(healthy.folder, 'node')]);
      assert.deepEqual(findings, []);
      assert.deepEqual(summary.skipped, []);
      assert.equal(summary.unknown, unknown[name] ?? 0);
      assert.equal(status, unknown[name] === undefined ? 0 : 3);
    });
  }

  it('of a family whose rules are not shown are not compared', () => {
    const healthy = readHealthyCase('calico-nft');
    const files = shownFiles(healthy, { hasManifests: true, without: /iptables.*v6/ });
    const { status, summary } = compare(healthy, files);
    assert.deepEqual(summary.skipped, ['ipv6']);
    assert.equal(status, 0);
  });

  it('are the same without the addresses of kube-ipvs0, where bridges show some interfaces', () => {
    const healthy = readHealthyCase('docker-ipvs');
    const { status, summary } = compare(healthy, shownFiles(healthy, { hasManifests: true, without: /\/addresses/ }));
    assert.deepEqual({ ...summary, status }, { ...summary, status: 0, different: 0, unknown: 0 });
  });

  it('are unknown, and do not differ, where the text of the dump ends early', () => {
    for (const [name, file, length] of [
      ['docker-flannel', 'iptables.nft.v4.save', 9000],
      ['docker-flannel', 'iptables.nft.v4.save', 5000],
      ['kind-nftables', 'nft.txt', 15_000],
    ] as const) {
      const healthy = readHealthyCase(name);
      const folder = mkdtempSync(join(tmpdir(), 'k8snet-cut-'));
      try {
        const cut = join(folder, file);
        writeFileSync(cut, readFileSync(join(healthy.folder, 'node/dumps', file), 'utf8').slice(0, length));
        const { status, findings, summary } = compare(healthy, [cut]);
        assert.deepEqual(findings, [], `${name}, ${length}`);
        assert.ok(summary.unknown > 0, `${name}, ${length}`);
        assert.equal(status, 3);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });

  it('are not compared where what decides was not given, and a note says so', () => {
    for (const { name, without, only, note } of notGiven) {
      const healthy = readHealthyCase(name);
      const folder = mkdtempSync(join(tmpdir(), 'k8snet-part-'));
      try {
        const files = shownFiles(healthy, { hasManifests: true, ...(without && { without }) }).map((file) =>
          only === undefined || !/iptables/.test(file) ? file : savedTable(file, only, folder),
        );
        const { status, findings, summary, stderr } = compare(healthy, files);
        assert.deepEqual(findings, [], note);
        assert.deepEqual([summary.families, status], only === 'nat' ? [['ipv4', 'ipv6'], 0] : [[], 3], note);
        assert.ok(stderr.includes(`note dump-note: ${note} is not compared`), stderr);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });

  it('are unknown, and do not differ, where sets are not shown', () => {
    for (const name of ['docker-ipvs', 'calico-ipvs']) {
      const healthy = readHealthyCase(name);
      const files = shownFiles(healthy, { hasManifests: true, without: /\/ipset/ });
      const { findings, summary } = compare(healthy, [...files, '--service', 'shop/sticky']);
      assert.deepEqual(findings, [], name);
      assert.ok(summary.unknown > 0, name);
    }
  });
});

/** `without`: files that were not given. `only`: the table that iptables-save was asked for. */
const notGiven: readonly {
  readonly name: string;
  readonly without?: RegExp;
  readonly only?: string;
  readonly note: string;
}[] = [
  { name: 'calico-nft', only: 'filter', note: 'the table nat of ipv4 and ipv6 is not in the dump: ipv4 and ipv6' },
  { name: 'calico-nft', only: 'nat', note: 'the table filter of ipv4 and ipv6 is not in the dump: it' },
  { name: 'calico-ipvs', without: /ipvsadm/, note: 'what ipvsadm -Sn prints was not given: ipv4' },
  { name: 'calico-ipvs', without: /iptables/, note: 'rules of iptables for ipv4 were not given: ipv4' },
  {
    name: 'kind-nftables',
    without: /\/nft/,
    note: 'rules of nft for ipv4 and ipv6 were not given: ipv4 and ipv6',
  },
];

/** A rule of Istio asks for the socket of the sender, which no dump shows: for a family each. */
const unknown: Readonly<Record<string, number>> = { 'istio-ambient': 2 };

describe('packets on a node with rules of other programs and a fault', () => {
  for (const name of ['docker-flannel', 'calico-ipvs', 'kind-nftables']) {
    const healthy = readHealthyCase(name);
    const [lost, dropped] = usualFaults(healthy);
    it(`${name}: differ for the Service of which a rule is lost, and no other`, () => {
      const { status, findings } = compareBroken(healthy, lost);
      assert.equal(status, 1);
      assert.deepEqual([...new Set(findings.map(({ service }) => service))], ['shop/web:http']);
    });

    it(`${name}: are the same where another program drops them, and a note says where to look`, () => {
      const { status, findings, stderr } = compareBroken(healthy, dropped);
      assert.deepEqual(findings, []);
      assert.equal(status, 0);
      assert.match(stderr, /note foreign-rules: \d+ rules? of other programs counts? on both sides.*\n.*k8snet doctor/);
    });
  }
});

describe('what belongs to kube-proxy, and what to others', () => {
  const ipvs = readHealthyCase('calico-ipvs');
  const more: Fault = {
    what: 'another virtual server',
    edit: {
      file: 'ipvsadm.save',
      from: '^',
      to: '-A -t 10.96.9.9:80 -s rr\n-a -t 10.96.9.9:80 -r 10.244.2.11:8080 -m -w 1\n',
    },
    named: {},
  };

  it('a virtual server without a Service is left over from kube-proxy, unless it leaves the network alone', () => {
    assert.ok(compareBroken(ipvs, more).summary.different > 0);
    const leftAlone = { ...ipvs, args: [...ipvs.args, '--ipvs-exclude-cidrs', '10.96.9.0/24'] };
    assert.equal(compareBroken(leftAlone, more).summary.different, 0);
  });

  it("the kubelet's KUBE-FIREWALL drops what kube-proxy marked through 1.24", () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-marked-'));
    try {
      const manifests = join(folder, 'local.yaml');
      writeFileSync(manifests, localService);
      const old = ['-f', manifests, '--node', 'n1', '--kube-version', '1.20', '--family', 'ipv4', '-q'];
      const saved = runCli(['compile', ...old]).stdout;
      const dump = join(folder, 'n1.save');
      const rules = '-A INPUT -j KUBE-FIREWALL\n-A KUBE-FIREWALL -m mark --mark 0x8000/0x8000 -j DROP\n';
      const shown = saved
        .replace('*filter\n', '*filter\n:KUBE-FIREWALL - [0:0]\n')
        .replace(/(\*filter\n[\s\S]*?)COMMIT/, `$1${rules}COMMIT`);
      writeFileSync(dump, shown);
      const { status, stdout } = runCli(['diff', '--compare', 'behaviour', ...old, dump]);
      assert.match(stdout, /the same for every packet/);
      assert.equal(status, 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function compareBroken(healthy: HealthyCase, fault: Fault | undefined): Comparison {
  assert.ok(fault !== undefined);
  const files = plantFault(healthy, fault);
  try {
    return compare(healthy, files);
  } finally {
    rmSync(dirname(files[0] as string), { recursive: true });
  }
}

function compare(healthy: HealthyCase, words: readonly string[]): Comparison {
  const options = manifestsOf(healthy).filter((word) => word !== '-q');
  const { status, stdout, stderr } = runCli(['diff', '--compare', 'behaviour', ...options, ...words, '-o', 'json']);
  assert.match(stdout, /^\{/, stderr);
  const { summary, findings } = JSON.parse(stdout);
  return { status, summary, findings, stderr };
}
