import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cutEnd } from '../../src/dump/cutEnd.ts';
import { readDumps } from '../../src/dump/readDumps.ts';

const table = '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n-A PREROUTING -j KUBE-SERVICES\n';
const last = '-A KUBE-SERVICES -d 10.96.0.10/32 -p tcp -j ACCEPT';

it('the last line of a text that was cut within a table is left out, and that is said', () => {
  for (let end = 4; end < last.length; end += 1) {
    const { iptables, notes } = readDumps([{ name: 'n1.save', text: table + last.slice(0, end) }], { name: 'n1' });
    assert.equal(iptables[0]?.tables.get('nat')?.chains.get('KUBE-SERVICES')?.text, '', last.slice(0, end));
    assert.deepEqual(notes, ['n1.save: line 5 is cut at the end and left out']);
  }
});

it('what is whole, and what names no table, is kept', () => {
  for (const text of [
    `${table}${last}\n`,
    `${table}${last}\nCOMMIT`,
    `${table}COMMIT\n# ${last}`,
    last,
    `-A A -j B\n${last}`,
  ])
    assert.equal(cutEnd(text), undefined, text);
  assert.equal(cutEnd(table + last), table.length);
  assert.equal(cutEnd(`# saved\n${table}[1:60] ${last}`), `# saved\n${table}`.length);
});
