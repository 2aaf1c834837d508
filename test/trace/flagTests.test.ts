import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';

/** Bits of `tcp flags`, `ct state` and `ct status`, as the kernel compares them: letters of the packets that are dropped. */
const tests: readonly (readonly [rule: string, dropped: readonly string[]])[] = [
  ['tcp flags syn', ['S', 'SA']],
  ['tcp flags syn,ack', ['S', 'A', 'SA', 'RA']],
  ['tcp flags == syn', ['S']],
  ['tcp flags != syn', ['A', 'SA', 'RA', 'F']],
  ['tcp flags ! ack', ['S', 'F']],
  ['tcp flags ! syn,ack', ['F']],
  ['tcp flags & (fin | syn | rst | ack) == syn', ['S']],
  ['tcp flags & (fin|syn|rst|ack) == syn', ['S']],
  ['tcp flags syn / fin,syn,rst,ack', ['S']],
  ['tcp flags != syn / syn,ack', ['A', 'SA', 'RA', 'F']],
  ['tcp flags & (syn | ack) != 0', ['S', 'A', 'SA', 'RA']],
  ['tcp flags == 0x12', ['SA']],
  // A packet of these is new or invalid.
  ['ct state ! established,related', ['S', 'A', 'SA', 'RA', 'F']],
  ['ct state != established | related', ['S', 'A', 'SA', 'RA', 'F']],
  ['ct state & (established | related) == 0', ['S', 'A', 'SA', 'RA', 'F']],
  ['ct state & (established | related) != 0', []],
  ['ct state == established | related', []],
  // Of a connection that nobody translates; what is invalid has none.
  ['ct status ! dnat', ['S', 'A']],
  ['ct status != dnat', ['S', 'A']],
  ['ct status == dnat', []],
  ['ct status & (dnat | snat) == 0', ['S', 'A']],
];

describe('bits that rules of nft compare', () => {
  for (const [rule, dropped] of tests) {
    it(rule, () => {
      const text = `table inet t {\n\tchain f {\n\t\ttype filter hook forward priority 0; policy accept;\n\t\t${rule} drop\n\t}\n}\n`;
      const tracer = createNodeTracer(readDumps([{ name: 'nft.txt', text }], { name: 'n' }));
      const found = ['S', 'A', 'SA', 'RA', 'F'].filter((flags) => {
        const result = tracer.trace({ from: '203.0.113.7', to: '10.244.1.5:80', flags });
        if ('kind' in result) assert.fail(result.message);
        assert.deepEqual([...result.notes.unknown.keys()], []);
        return result.outcomes.some(({ first }) => first.end.kind === 'dropped');
      });
      assert.deepEqual(found, dropped);
    });
  }

  it('says of others that it does not know them', () => {
    for (const rule of ['ct status == confirmed', 'tcp flags syn | ack', 'ct status ! unheard']) {
      const text = `table inet t {\n\tchain f {\n\t\ttype filter hook forward priority 0; policy accept;\n\t\t${rule} drop\n\t}\n}\n`;
      const tracer = createNodeTracer(readDumps([{ name: 'nft.txt', text }], { name: 'n' }));
      const result = tracer.trace({ from: '203.0.113.7', to: '10.244.1.5:80' });
      if ('kind' in result) assert.fail(result.message);
      assert.equal(result.notes.unknown.size, 1, rule);
    }
  });
});
