import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { problemsInScenario } from './problemsInScenario.ts';
import { kernelTests } from './requirements.ts';
import { type ServiceScenario, serviceScenarios } from './serviceScenarios.ts';

test('docs/modes.md names every scenario in which modes differ', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/modes.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const named = new Set(rows.flatMap((row) => (row.split('|').at(-2) ?? '').split(/[,;]/).map((name) => name.trim())));
  const differing = serviceScenarios.filter(({ flows }) => flows.some(({ nftables, ipvs }) => nftables ?? ipvs));
  assert.deepEqual(
    differing.map(({ name }) => name).filter((name) => !named.has(name)),
    [],
  );
});

/** Packets through every scenario: which endpoint answers, which source it sees, what is refused and what is dropped. */
const iptablesTest = kernelTests(['iptables-nft']);
const legacyTest = kernelTests(['iptables-legacy']);
const nftTest = kernelTests(['nft']);

/** Every lab is apart from the others. Much of the time of one is waiting, so a few run at once. */
const atOnce = { concurrency: 3 };

describe('scenarios', atOnce, () => {
  for (const scenario of serviceScenarios) {
    iptablesTest(`${scenario.name}: packets in iptables mode`, async () => {
      assert.deepEqual(await problemsInScenario(scenario, { mode: 'iptables', backend: 'nft' }), []);
    });
    nftTest(`${scenario.name}: packets in nftables mode`, async () => {
      assert.deepEqual(await problemsInScenario(scenario, { mode: 'nftables' }), []);
    });
    for (const kubeVersion of versionsOf(scenario)) {
      nftTest(`${scenario.name}: packets in nftables mode of ${kubeVersion}`, async () => {
        assert.deepEqual(await problemsInScenario(scenario, { mode: 'nftables', kubeVersion }), []);
      });
    }
  }
});

/** 1.36 has other chains for nearly everything; of older versions what packets show to be otherwise than in 1.30. */
function versionsOf({ flows }: ServiceScenario): readonly string[] {
  const others = flows.flatMap(({ nftablesOf }) => Object.keys(nftablesOf ?? {}));
  return [...new Set(['1.36', ...others])];
}

const [basic] = serviceScenarios;
assert.ok(basic !== undefined);

legacyTest(`${basic.name}: packets in iptables mode, legacy tables`, async () => {
  assert.deepEqual(await problemsInScenario(basic, { mode: 'iptables', backend: 'legacy' }), []);
});

/** What these tests would miss if they could not fail: spoilt rules, and the words that must say so. */
const spoilt: readonly { readonly what: string; readonly spoil: (rules: string) => string; readonly finds: RegExp }[] =
  [
    {
      what: 'an endpoint without its DNAT',
      spoil: (rules) => rules.replace(/^-A KUBE-SEP.* --to-destination 10\.244\.2\.11:.*\n/m, ''),
      finds: /^pod to 10\.96\.110\.1 tcp 443: 10\.244\.2\.11 was never met/,
    },
    {
      what: 'no masquerading of a pod that meets itself',
      spoil: (rules) => rules.replace(/^-A KUBE-SEP.* -s 10\.244\.1\.10 .*\n/m, ''),
      finds: /^10\.244\.1\.10 to 10\.96\.110\.1 tcp 443: expected an answer, got timeout/,
    },
    {
      what: 'a ladder of wrong probabilities',
      spoil: (rules) => rules.replace('--probability 0.3333333333', '--probability 0.7000000000'),
      finds: /^pod to 10\.96\.110\.1 tcp 443: uneven/,
    },
    {
      what: 'no masquerading at all',
      spoil: (rules) => rules.replace(/^-A KUBE-MARK-MASQ .*\n/m, ''),
      finds: /^pod to 203\.0\.113\.10 tcp 443: .* saw 10\.244\.1\.200, expected 192\.168\.10\.1/,
    },
  ];

describe('spoilt rules', atOnce, () => {
  for (const { what, spoil, finds } of spoilt) {
    iptablesTest(`packets find ${what}`, async () => {
      const problems = await problemsInScenario(basic, { mode: 'iptables', backend: 'nft' }, spoil);
      assert.ok(
        problems.some((problem) => finds.test(problem)),
        `found only: ${problems.join('\n')}`,
      );
    });
  }
});
