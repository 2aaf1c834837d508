import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { dialectOf } from '../../src/dialect/dialectOf.ts';
import { type FeatureGates, gateTable } from '../../src/dialect/gates/gateTable.ts';
import { reportGates } from '../../src/dialect/gates/reportGates.ts';
import { type KubeVersion, parseKubeVersion } from '../../src/dialect/version.ts';

describe('feature gates', () => {
  const changed: readonly (readonly [string, ProxyMode, FeatureGates, string, unknown])[] = [
    ['1.30', 'iptables', { ServiceTrafficDistribution: true }, 'hints', 'always'],
    ['1.31', 'iptables', { ServiceTrafficDistribution: false }, 'hints', 'any'],
    ['1.32', 'iptables', { LoadBalancerIPMode: false }, 'honoursIpMode', false],
    ['1.29', 'iptables', { LoadBalancerIPMode: true }, 'honoursIpMode', true],
    ['1.33', 'nftables', { PreferSameTrafficDistribution: true }, 'honoursNodeHints', true],
    ['1.34', 'ipvs', { PreferSameTrafficDistribution: false }, 'honoursNodeHints', false],
    ['1.33', 'iptables', { AllAlpha: true }, 'honoursNodeHints', true],
    ['1.33', 'iptables', { AllAlpha: true, PreferSameTrafficDistribution: false }, 'honoursNodeHints', false],
    ['1.34', 'iptables', { AllBeta: false }, 'honoursNodeHints', false],
    ['1.36', 'iptables', { AllowServiceExternalIPs: false }, 'ignoresExternalIPs', true],
  ];
  for (const [version, mode, gates, axis, value] of changed)
    it(`${JSON.stringify(gates)} counts in ${version}`, () => {
      const plan = dialectOf(mode, kubeVersion(version), gates).plan as unknown as Record<string, unknown>;
      assert.equal(plan[axis], value);
    });

  it('change nothing where they say what the version has anyway, nor once they are stable', () => {
    let count = 0;
    for (const version of ['1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'])
      for (const { name, stages } of gateTable)
        for (const isOn of [true, false]) {
          const stage = stages.findLast(({ since }) => minor(since) <= minor(version));
          if (stage !== undefined && stage.stage !== 'stable' && stage.isOn !== isOn) continue;
          const own = dialectOf('nftables', kubeVersion(version));
          assert.deepEqual(dialectOf('nftables', kubeVersion(version), { [name]: isOn }), own, `${name} in ${version}`);
          count += 1;
        }
    assert.ok(count > 100, `${count} settings`);
  });

  const refused: readonly (readonly [string, ProxyMode, FeatureGates, RegExp])[] = [
    ['1.36', 'ipvs', { KubeProxyIPVS: false }, /does not know it/],
    ['1.37', 'ipvs', { KubeProxyIPVS: false }, /has ipvs mode with feature gate KubeProxyIPVS only/],
    ['1.30', 'nftables', { NFTablesProxyMode: false }, /has nftables mode with feature gate NFTablesProxyMode only/],
    ['1.33', 'iptables', { LoadBalancerIPMode: false }, /locked to true/],
  ];
  for (const [version, mode, gates, message] of refused)
    it(`${JSON.stringify(gates)} is refused by ${version} in ${mode} mode`, () => {
      const [first] = said(gates, mode, version);
      assert.equal(first?.severity, 'error');
      assert.match(first.message, message);
    });

  it('a configuration of 1.30 needs its gate for nftables mode; an option of ours asks for none', () => {
    const configured = { mode: 'nftables', isConfigured: true } as const;
    assert.equal(said({}, configured.mode, '1.30', configured.isConfigured)[0]?.code, 'mode-needs-gate');
    assert.deepEqual(said({ NFTablesProxyMode: true }, 'nftables', '1.30', true), []);
    assert.deepEqual(said({}, 'nftables', '1.31', true), []);
    assert.deepEqual(said({}, 'nftables', '1.30'), []);
  });

  it('of a name that is not known nothing is claimed, and one that is nearly known is asked about', () => {
    assert.deepEqual(
      said({ ContextualLogging: true }, 'iptables', '1.36').map(({ severity }) => severity),
      ['note'],
    );
    assert.match(said({ KubeProxyIPVs: false }, 'ipvs', '1.37')[0]?.hint ?? '', /did you mean KubeProxyIPVS/);
  });
});

function said(gates: FeatureGates, mode: ProxyMode, version: string, isConfigured = false): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  reportGates(gates, { mode, isConfigured }, kubeVersion(version), (one) => diagnostics.push(one));
  return diagnostics;
}

function kubeVersion(text: string): KubeVersion {
  const version = parseKubeVersion(text);
  assert.ok(version !== undefined);
  return version;
}

function minor(text: string): number {
  return Number(text.split('.')[1]);
}
