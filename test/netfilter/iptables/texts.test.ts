import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Ruleset } from '../../../src/netfilter/iptables/ast.ts';
import { printRuleset } from '../../../src/netfilter/iptables/print/print.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { parseDumps, parseIptables } from '../../../src/netfilter/iptables/read/parse.ts';
import type { LineProblem } from '../../../src/netfilter/lineProblem.ts';
import { assertGolden } from '../../support/golden.ts';

const folder = 'fixtures/netfilter-iptables';

for (const name of readdirSync(folder)) {
  for (const file of readdirSync(`${folder}/${name}`)) {
    const text = readFileSync(`${folder}/${name}/${file}`, 'utf8');
    if (file.startsWith('restore.')) {
      test(`${name}/${file} is printed back byte for byte`, () => {
        assert.equal(printed(parsed(text), 'restore'), text);
      });
      const save = readdirSync(`${folder}/${name}`).find((other) =>
        other.startsWith(file.replace('restore', 'save').slice(0, 7)),
      );
      test(`${name}/${file} loads as ${save}`, () => {
        const saved = parsed(readFileSync(`${folder}/${name}/${save}`, 'utf8'));
        assert.deepEqual(userChains(parsed(text)), userChains(saved, parsed(text)));
      });
    }
    if (file.startsWith('save.')) {
      test(`${name}/${file} is printed back byte for byte`, () => {
        const withoutComments = text.replaceAll(/^#.*\n/gm, '');
        assert.equal(printed(parsed(text), 'save', file.includes('counters')), withoutComments);
      });
      test(`${name}/${file} tells its family and lines`, () => {
        const ruleset = parsed(text, false);
        assert.equal(ruleset.family, file.includes('.v6') ? 'ipv6' : 'ipv4');
        const lines = text.split('\n');
        for (const rule of ruleset.tables.flatMap((table) => table.rules)) {
          assert.ok(lines[(rule.line ?? 0) - 1]?.includes(`-A ${rule.chain}`));
        }
      });
    }
  }
}

test('the list of a live table (iptables -S -v) reads like its dump', () => {
  const text = readFileSync(`${folder}/listed/rules.v4.txt`, 'utf8');
  assertGolden('netfilter-iptables/listed.save.txt', printed(parseIptables(text, {}, unexpected), 'save', true));
});

test('a paste of several commands is taken apart, what cannot be read is named', () => {
  const problems: LineProblem[] = [];
  const dumps = parseDumps(readFileSync(`${folder}/pasted/dump.txt`, 'utf8'), {}, (problem) => problems.push(problem));
  const texts = dumps.map((dump) => `# ${dump.family}\n${printed(dump, 'save', true)}`);
  const messages = problems.map(({ line, column, word, message }) => `${line}:${column} ${word}: ${message}\n`);
  assertGolden('netfilter-iptables/pasted.txt', [...texts, ...messages].join(''));
});

function parsed(text: string, isGivenFamily = true): Ruleset {
  const family = /ip6tables|fd00|::/.test(text) ? 'ipv6' : 'ipv4';
  return parseIptables(text, isGivenFamily ? { family } : {}, unexpected);
}

function unexpected(problem: LineProblem): never {
  assert.fail(JSON.stringify(problem));
}

function printed(ruleset: Ruleset, spelling: 'restore' | 'save', hasCounters = false): string {
  return [...printRuleset(ruleset, spelling, { hasCounters })].join('');
}

/** Rules by table and chain in save spelling; only of the chains that `like` declares. */
function userChains(ruleset: Ruleset, like = ruleset): Record<string, readonly string[]> {
  const chains: Record<string, readonly string[]> = {};
  for (const table of like.tables) {
    const rules = ruleset.tables.find(({ name }) => name === table.name)?.rules ?? [];
    for (const { name } of table.chains) {
      chains[`${table.name} ${name}`] = rules
        .filter((rule) => rule.chain === name)
        .map((rule) => printRule(rule, 'save', ruleset.family))
        // The kernel the saves were recorded on has no such match.
        .filter((line) => !line.includes(' -m ipvs '));
    }
  }
  return chains;
}
