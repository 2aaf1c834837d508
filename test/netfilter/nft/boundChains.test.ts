import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';
import { writeListing } from '../../../src/netfilter/nft/write/writeListing.ts';
import { listedLines } from '../../../src/node/lines/listedLines.ts';

/** Chains that stand inside the rule which jumps to them. */

const listing = `table ip filter {
	chain first {
		type filter hook forward priority filter; policy accept;
		ip daddr 10.0.0.1 jump {
			tcp dport 80 accept
			ip saddr 10.0.0.2 goto {
				drop
			}
			return
		}
		counter packets 0 bytes 0
	}

	chain second {
		accept
	}
}
table ip6 other {
	chain third {
	}
}
`;

describe('a chain inside a rule', () => {
  const { ruleset, problems } = parseListing(listing);

  it('is a chain of its table, and what follows stays where it is', () => {
    assert.deepEqual(problems, []);
    const names = ruleset.tables.map(({ name, chains }) => [name, ...chains.map((chain) => chain.name)]);
    assert.deepEqual(names, [
      ['filter', '__chain2', '__chain1', 'first', 'second'],
      ['other', 'third'],
    ]);
    const [, outer, first] = ruleset.tables[0]?.chains ?? [];
    assert.equal(outer?.rules.length, 3);
    assert.equal(first?.rules.length, 2);
    assert.deepEqual(first?.rules[0]?.statements.at(-1), {
      kind: 'verdict',
      verdict: { kind: 'jump', chain: '__chain1' },
    });
  });

  it('is printed as it was listed', () => {
    assert.equal([...writeListing(ruleset)].join(''), listing);
  });

  it('leaves each rule its line', () => {
    const lines = listedLines(listing);
    assert.deepEqual(lines.get('ip filter first')?.items, [4, 11]);
    assert.deepEqual(lines.get('ip filter second')?.items, [15]);
  });
});
