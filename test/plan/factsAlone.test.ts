import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import { dialectOf } from '../../src/dialect/dialectOf.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import type { NodePlan, Plan, ServicePlan } from '../../src/plan/plan.ts';
import { canonicalText, rulesOf, toFiles } from '../../src/public/core.ts';
import { orThrow } from '../../src/public/result.ts';
import { compileFiles, root } from '../support/compileCase.ts';
import { ofNode, ofService, type Variation } from './planVariations.ts';

/**
 * Each fact of a plan has its own rules: where it alone changes, whatever the reason, no other rule does. A rule that
 * reads one fact as a sign of another changes with both, and is wrong as soon as they part. And each fact has rules in some
 * version of each mode that it is for.
 */

interface Fact {
  readonly what: string;
  readonly lines: Variation<unknown>['lines'];
  readonly vary: (plan: Plan) => Plan;
}

const isVaried = <T>(own: readonly Variation<T>[] | 'named everywhere') => (own === 'named everywhere' ? [] : own);

const facts: readonly Fact[] = [
  ...Object.values(ofNode)
    .flatMap((own) => isVaried<NodePlan>(own))
    .map(({ what, lines, vary }) => ({
      what,
      lines,
      vary: (plan: Plan): Plan => ({ ...plan, node: { ...plan.node, ...vary(plan.node) } }),
    })),
  ...Object.values(ofService)
    .flatMap((own) => isVaried<ServicePlan>(own))
    .map(({ what, lines, vary }) => ({
      what,
      lines,
      vary: (plan: Plan): Plan => ({ ...plan, services: plan.services.map((each) => ({ ...each, ...vary(each) })) }),
    })),
];

const input = [join(root, 'fixtures/services/mixed-random-dual/manifests.yaml')];
// The node has endpoints of its own.
const node = ['--node', 'node-1', '--node-ip', '192.168.10.2,fd00:192:168:10::2'];
// With it, node ports on loopback addresses have rules of their own.
const gates = { KubeProxyNFTablesLocalhostNodePorts: true };
const versions: Readonly<Partial<Record<ProxyMode, readonly string[]>>> = {
  iptables: ['1.8', '1.22', '1.28', '1.30', '1.36'],
  nftables: ['1.29', '1.31', '1.36', '1.37'],
  ipvs: ['1.22', '1.30', '1.36'],
};

for (const [mode, ofMode] of Object.entries(versions) as [ProxyMode, readonly string[]][]) {
  describe(`a fact of the plan alone, ${mode} mode`, () => {
    const counts = new Map<string, number>();
    for (const version of ofMode) {
      it(version, async () => {
        const args = ['--mode', mode, '--kube-version', version, '--cluster-cidr', '10.244.0.0/16,fd00:10:244::/56'];
        const { compiled } = await compileFiles(input, [...args, ...node]);
        assert.ok(compiled);
        const gated: Compiled = { ...compiled, dialect: dialectOf(mode, compiled.kubeVersion, gates) };
        const before = await linesOf(gated);
        const wrong: Record<string, readonly string[]> = {};
        for (const { what, lines, vary } of facts) {
          const changed = changedLines(before, await linesOf({ ...gated, plans: gated.plans.map(vary) }));
          counts.set(what, (counts.get(what) ?? 0) + changed.length);
          const own = lines[mode];
          const foreign = changed.filter((line) => own === undefined || !own.test(line));
          if (foreign.length > 0) wrong[what] = foreign.slice(0, 5);
        }
        assert.deepEqual(wrong, {});
      });
    }

    it('has lines for each fact in some version', () => {
      // Some value of a fact is the one that it has already.
      const name = (what: string) => what.replace(/:.*/, '');
      const spoken = new Set([...counts].filter(([, count]) => count > 0).map(([what]) => name(what)));
      const own = facts.filter(({ lines }) => lines[mode] !== undefined).map(({ what }) => name(what));
      assert.deepEqual(
        own.filter((what) => !spoken.has(what)),
        [],
      );
    });
  });
}

it('node ports on localhost are guarded by KUBE-FIREWALL alone', async () => {
  const { compiled } = await compileFiles(input, ['--mode', 'iptables', '--kube-version', '1.30', ...node]);
  assert.ok(compiled);
  const closed = compiled.plans.map((plan) => ({ ...plan, node: { ...plan.node, usesLocalhostNodePorts: false } }));
  const [before, after] = await Promise.all([compiled, { ...compiled, plans: closed }].map(savedLines));
  const changed = changedLines(before ?? [], after ?? []);
  assert.ok(changed.length > 0);
  assert.deepEqual(
    changed.filter((line) => !line.includes('KUBE-FIREWALL')),
    [],
  );
});

async function savedLines(compiled: Compiled): Promise<readonly string[]> {
  const { all } = await orThrow(toFiles(compiled), () => {});
  return all.filter(({ name }) => name.endsWith('.save')).flatMap(({ text }) => [...text()].join('').split('\n'));
}

async function linesOf(compiled: Compiled): Promise<readonly string[]> {
  return [...(await canonicalText(await orThrow(rulesOf(compiled))))].join('').split('\n');
}

/** Lines of which one text has more than the other: rules of several chains may read alike. */
function changedLines(a: readonly string[], b: readonly string[]): readonly string[] {
  const more = new Map<string, number>();
  for (const line of a) more.set(line, (more.get(line) ?? 0) + 1);
  for (const line of b) more.set(line, (more.get(line) ?? 0) - 1);
  return [...more].filter(([, count]) => count !== 0).map(([line]) => line);
}
