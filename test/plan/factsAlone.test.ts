import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProxyMode } from '../../src/common/proxyMode.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import type { NodePlan, Plan, ServicePlan } from '../../src/plan/plan.ts';
import { canonicalText, rulesOf } from '../../src/public/core.ts';
import { compileFiles, root } from '../support/compileCase.ts';

/**
 * Each fact of a plan has its own rules: where it alone changes, whatever the reason, no other rule does. A rule that
 * reads one fact as a sign of another changes with both, and is wrong as soon as they part.
 */

interface Fact {
  readonly what: string;
  readonly node?: (node: NodePlan) => Partial<NodePlan>;
  readonly service?: (service: ServicePlan) => Partial<ServicePlan>;
  /** All lines that come, go or change. */
  readonly lines: Readonly<Partial<Record<ProxyMode, RegExp>>>;
}

const marks = /KUBE-MARK-MASQ|mark set (?:meta )?mark|mark-for-masquerade/;
const sets =
  /^add KUBE-(?:6-)?(?:NODE-PORT|LOAD-BALANCER|EXTERNAL-IP)|--match-set KUBE-(?:6-)?(?:NODE-PORT|LOAD-BALANCER|EXTERNAL-IP)/;

const facts: readonly Fact[] = [
  {
    what: 'external.masquerade: never, though the policy is Cluster',
    service: ({ external }) => ({ external: { ...external, masquerade: 'never' } }),
    lines: { iptables: marks, nftables: marks, ipvs: sets },
  },
  {
    what: 'external.masquerade: offCluster',
    service: ({ external }) => ({ external: { ...external, masquerade: 'offCluster' } }),
    lines: { iptables: marks, nftables: marks, ipvs: sets },
  },
  {
    what: 'external.masquerade: always, though the policy is Local',
    service: ({ external }) => ({ external: { ...external, masquerade: 'always' } }),
    lines: { iptables: marks, nftables: marks, ipvs: sets },
  },
  {
    what: 'internal.masquerade: never',
    service: ({ internal }) => ({ internal: { ...internal, masquerade: 'never' } }),
    lines: { iptables: marks, nftables: marks },
  },
  {
    what: 'shortCircuits.pods',
    service: ({ shortCircuits }) => ({ shortCircuits: { ...shortCircuits, pods: !shortCircuits.pods } }),
    lines: { iptables: /pod traffic for|Redirect pods/, nftables: /short-circuit pod traffic/ },
  },
  {
    what: 'shortCircuits.node',
    service: ({ shortCircuits }) => ({ shortCircuits: { ...shortCircuits, node: !shortCircuits.node } }),
    lines: { iptables: /(?:masquerade|route) LOCAL traffic/, nftables: /(?:masquerade|short-circuit) local traffic/ },
  },
  {
    what: 'masqueradesLoopback',
    service: ({ masqueradesLoopback }) => ({ masqueradesLoopback: !masqueradesLoopback }),
    lines: { iptables: /-s (?:127\.0\.0\.0\/8|::1\/128) .*KUBE-MARK-MASQ/ },
  },
  {
    what: 'rangesAllowNode',
    service: ({ rangesAllowNode }) => ({ rangesAllowNode: !rangesAllowNode }),
    lines: {
      iptables: /^-A KUBE-FW-.* -s /,
      nftables: /firewall|saddr|^\s+(?:elements = \{ )?\S+ \. (?:tcp|udp|sctp) \. \d+ \. /,
      ipvs: /KUBE-(?:6-)?LOAD-BALANCER-SOURCE-IP|^-A KUBE-IPVS-OUT-FILTER -s /,
    },
  },
  {
    what: 'isInternalPolicyLocal and isExternalPolicyLocal, which are words for people',
    service: (plan) => ({
      isInternalPolicyLocal: !plan.isInternalPolicyLocal,
      isExternalPolicyLocal: !plan.isExternalPolicyLocal,
    }),
    lines: {},
  },
  {
    what: 'the reasons of masquerading, which are words for people',
    service: ({ internal, external }) => ({
      internal: { ...internal, why: 'version' },
      external: { ...external, why: 'version' },
    }),
    lines: {},
  },
  {
    what: 'dropsInvalid',
    node: ({ dropsInvalid }) => ({ dropsInvalid: !dropsInvalid }),
    lines: { iptables: /INVALID/, nftables: /invalid/ },
  },
  {
    what: 'mark',
    node: () => ({ mark: 0x10 }),
    lines: { iptables: /mark/, nftables: /mark/, ipvs: /mark/ },
  },
  {
    what: 'excludesLoopbackNodePorts',
    node: (node) => ({ excludesLoopbackNodePorts: !node.excludesLoopbackNodePorts }),
    lines: { iptables: /KUBE-NODEPORTS/ },
  },
  {
    what: 'serviceCIDRs',
    node: () => ({ serviceCIDRs: ['10.96.0.0/12'] }),
    lines: { nftables: /unallocated/ },
  },
];

const input = [join(root, 'fixtures/services/mixed-random-dual/manifests.yaml')];
const versions: Readonly<Record<string, readonly string[]>> = {
  iptables: ['1.22', '1.30', '1.36'],
  nftables: ['1.29', '1.31', '1.36'],
  ipvs: ['1.22', '1.30', '1.36'],
};

for (const [mode, ofMode] of Object.entries(versions)) {
  describe(`a fact of the plan alone, ${mode} mode`, () => {
    for (const version of ofMode) {
      for (const fact of facts) {
        it(`${version}: ${fact.what}`, async () => {
          const args = ['--mode', mode, '--kube-version', version, '--cluster-cidr', '10.244.0.0/16,fd00:10:244::/56'];
          const { compiled } = await compileFiles(input, args);
          assert.ok(compiled);
          const changed = changedLines(await linesOf(compiled), await linesOf(varied(compiled, fact)));
          const own = fact.lines[mode as ProxyMode];
          assert.deepEqual(
            changed.filter((line) => own === undefined || !own.test(line)),
            [],
          );
        });
      }
    }

    it('has lines for each fact in some version', async () => {
      for (const fact of facts.filter(({ lines }) => lines[mode as ProxyMode] !== undefined)) {
        let count = 0;
        for (const version of ofMode) {
          const { compiled } = await compileFiles(input, [
            '--mode',
            mode,
            '--kube-version',
            version,
            '--cluster-cidr',
            '10.244.0.0/16',
          ]);
          assert.ok(compiled);
          count += changedLines(await linesOf(compiled), await linesOf(varied(compiled, fact))).length;
        }
        assert.ok(count > 0, fact.what);
      }
    });
  });
}

function varied(compiled: Compiled, { node, service }: Fact): Compiled {
  const plans = compiled.plans.map(
    (plan): Plan => ({
      ...plan,
      node: { ...plan.node, ...node?.(plan.node) },
      services: plan.services.map((each) => ({ ...each, ...service?.(each) })),
    }),
  );
  return { ...compiled, plans };
}

async function linesOf(compiled: Compiled): Promise<readonly string[]> {
  return [...(await canonicalText(await rulesOf(compiled)))].join('').split('\n');
}

/** Lines of which one text has more than the other: rules of several chains may read alike. */
function changedLines(a: readonly string[], b: readonly string[]): readonly string[] {
  const more = new Map<string, number>();
  for (const line of a) more.set(line, (more.get(line) ?? 0) + 1);
  for (const line of b) more.set(line, (more.get(line) ?? 0) - 1);
  return [...more].filter(([, count]) => count !== 0).map(([line]) => line);
}
