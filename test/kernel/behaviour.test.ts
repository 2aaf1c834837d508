import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/runCli.ts';
import { kernelTests } from './requirements.ts';

/**
 * Both ways between `diff --compare behaviour` and the kernel: each packet that it shows for a difference meets two things
 * under the two rule sets, and whoever asks a Service in the lab fares otherwise only where it reports one.
 */
const scenarios = ['nodeport-etp-local', 'lb-source-ranges', 'policy-itp-local', 'externalip-etp-local'];
const modes = ['iptables', 'nftables'] as const;

interface Probed {
  readonly from: { readonly name: string; readonly kind: string; readonly node: string | null };
  readonly to: { readonly address: string; readonly port: number; readonly protocol: string };
  readonly outcomes: readonly { readonly kind: string; readonly server?: string; readonly source?: string }[];
}

interface Finding {
  readonly a: Ends;
  readonly b: Ends;
  readonly entrance: string;
  readonly packet: { readonly from: string; readonly to: string; readonly proto: string };
}

interface Ends {
  readonly outcomes: readonly { readonly outcome: string }[];
}

/** Of three endpoints none is missed by 60 connections, but once in ten billion. */
const connections = '60';

const inLab = kernelTests(['iptables', 'nft']);

for (const scenario of scenarios) {
  inLab(`${scenario}: iptables mode against nftables mode`, () => {
    const manifests = ['-f', `fixtures/services/${scenario}/manifests.yaml`, '--node', 'node-1'];
    const findings = findingsOf(manifests);
    assert.ok(findings.length > 0);
    for (const { packet, probes } of askedFor(findings.filter(showsItself), manifests)) {
      const [one, other] = probes.map(outcomesOf);
      assert.notEqual(one, other, `${packet.from} → ${packet.to}/${packet.proto}: both ${one}`);
    }
    const reported = new Set(findings.map(({ entrance, packet }) => `${entrance} ${packet.to}/${packet.proto}`));
    const differing = pairs(manifests, []).filter(([one, other]) => outcomesOf(one) !== outcomesOf(other));
    const silent = differing.filter(([{ from, to }]) => {
      const address = to.address.includes(':') ? `[${to.address}]` : to.address;
      return !entrancesOf(from).some((entrance) => reported.has(`${entrance} ${address}:${to.port}/${to.protocol}`));
    });
    assert.deepEqual(silent, [], 'packets fare otherwise, and nothing is reported');
  });
}

function findingsOf(manifests: readonly string[]): readonly Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-behaviour-'));
  try {
    const compiled = succeeds(['compile', ...manifests, '--mode', 'nftables', '--family', 'ipv4']);
    const dump = join(folder, 'node-1.nft');
    writeFileSync(dump, compiled);
    const compared = runCli(['diff', '--compare', 'behaviour', ...manifests, '--mode', 'iptables', dump, '-o', 'json']);
    assert.equal(compared.status, 1, compared.stderr);
    return (JSON.parse(compared.stdout) as { readonly findings: readonly Finding[] }).findings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Nobody listens on a node of the lab: what comes to the node itself is refused there. */
function showsItself({ a, b }: Finding): boolean {
  const [one, other] = [a, b].map(({ outcomes }) =>
    outcomes.map(({ outcome }) => (outcome === 'node' ? 'refused' : outcome)),
  );
  return one?.join() !== 'refused' || other?.join() !== 'refused';
}

/** The packets of the findings, with what became of them under either. */
function askedFor(findings: readonly Finding[], manifests: readonly string[]) {
  const asked = findings.flatMap(({ packet: { from, to, proto } }) => ['--probe', from, `${to}/${proto}`]);
  const all = pairs(manifests, asked);
  assert.equal(all.length, findings.length);
  return findings.map(({ packet }, at) => ({ packet, probes: all[at] as readonly [Probed, Probed] }));
}

/** Probes of one lab beside those of the other. */
function pairs(manifests: readonly string[], asked: readonly string[]): readonly (readonly [Probed, Probed])[] {
  const [one = [], other = []] = modes.map((mode) => {
    const lab = ['lab', ...manifests, '--mode', mode, '--count', connections, ...asked, '-o', 'json'];
    return (JSON.parse(succeeds(lab)) as { readonly probes: readonly Probed[] }).probes;
  });
  assert.deepEqual(one.map(questionOf), other.map(questionOf));
  return one.map((probe, at) => [probe, other[at] as Probed]);
}

function questionOf({ from, to }: Probed): string {
  return `${from.name} ${to.address} ${to.port} ${to.protocol}`;
}

function outcomesOf({ outcomes }: Probed): string {
  const all = outcomes.map(({ kind, server, source }) => [kind, server, source].filter(Boolean).join(' '));
  return all.sort().join('; ');
}

/** A Pod may be an endpoint of what it asks. */
function entrancesOf({ kind, node }: Probed['from']): readonly string[] {
  if (kind === 'pod') return node === 'node-1' ? ['pod', 'endpoint'] : ['remote-pod', 'remote-endpoint'];
  return kind === 'node' ? [node === 'node-1' ? 'node' : 'other-node'] : [kind];
}

function succeeds(args: readonly string[]): string {
  const { status, stdout, stderr } = runCli(args);
  assert.equal(status, 0, stderr);
  return stdout;
}
