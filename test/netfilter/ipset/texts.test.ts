import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IpsetState } from '../../../src/netfilter/ipset/ast.ts';
import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';
import { printIpset } from '../../../src/netfilter/ipset/printIpset.ts';

const captured = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/netfilter-ipvs/captured', name), 'utf8');

/** What is read of a text, and `line: word: message` of each problem. */
function read(text: string): { readonly state: IpsetState; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const state = parseIpset(text, ({ line, word, message }) => problems.push(`${line}: ${word}: ${message}`));
  return { state, problems };
}

const canonical = ({ sets }: IpsetState) =>
  sets.map(canonicalSet).map(({ line: _line, members, ...set }) => ({
    ...set,
    members: members.map(({ member, options }) => ({ member, options })),
  }));

for (const name of ['ipset-save.txt', 'ipset-save-sorted.txt', 'ipset-save-host.txt']) {
  test(`${name} is read and printed back as it is`, () => {
    const text = captured(name);
    const { state, problems } = read(text);
    assert.deepEqual(problems, []);
    assert.equal([...printIpset(state)].join(''), text);
  });
}

test('the list, the save and the sorted save of one kernel are one state', () => {
  const saved = canonical(read(captured('ipset-save.txt')).state);
  assert.ok(saved.length > 16);
  assert.deepEqual(canonical(read(captured('ipset-save-sorted.txt')).state), saved);
  const list = read(captured('ipset-list.txt'));
  assert.deepEqual(list.problems, []);
  assert.deepEqual(canonical(list.state), saved);
});

test('a terse list is reported for each set whose members it hides', () => {
  const { state, problems } = read(captured('ipset-list-terse.txt'));
  const used = read(captured('ipset-save.txt')).state.sets.filter(({ members }) => members.length > 0);
  assert.equal(problems.length, used.length);
  assert.equal(
    problems[0],
    '7: Number: the 10 members of KUBE-LOOP-BACK are not shown; give ipset save, or ipset list without -t',
  );
  assert.ok(state.sets.every(({ members }) => members.length === 0));
  const marked = state.sets.filter(({ isCut }) => isCut).map(({ name }) => name);
  assert.deepEqual(
    marked,
    used.map(({ name }) => name),
  );
});

test('a list that shows fewer members than it counts is cut, but for those that run out', () => {
  const list = (options: string, rest: string) =>
    read(`Name: A\nType: hash:ip\nHeader: family inet${options}\n${rest}`);
  const isCut = ({ state: { sets } }: ReturnType<typeof read>) => sets.map((set) => set.isCut === true);
  const short = list('', 'Number of entries: 3\nMembers:\n10.0.0.1\n');
  assert.deepEqual(isCut(short), [true]);
  assert.deepEqual(short.problems, [
    '4: Number: 2 of the 3 members of A are not shown; give ipset save, or ipset list without -t',
  ]);
  assert.deepEqual(isCut(list('', 'Number of entries: 1\nMembers:\n10.0.0.1\n')), [false]);
  assert.deepEqual(isCut(list('', 'Number of entries: 0\n')), [false]);
  assert.deepEqual(isCut(list(' timeout 60', 'Number of entries: 3\nMembers:\n10.0.0.1 timeout 5\n')), [false]);
  // Older programs do not count.
  assert.deepEqual(isCut(list('', 'Members:\n10.0.0.1\n')), [false]);
  assert.deepEqual(isCut(list('', 'Size in memory: 200\n')), [true]);
});

test('XML is refused once', () => {
  assert.deepEqual(read(captured('ipset-list-xml.txt')).problems, [
    '1: <: ipset -o xml is not read; give the output of ipset save',
  ]);
});

test('pasted text: prompts, comments, Windows line ends, unread lines', () => {
  const { state, problems } = read(
    [
      'root@node-1:~# ipset save',
      '# a comment',
      '  create A hash:ip comment timeout 60\r',
      'add A 10.0.0.1 comment "two words" timeout 59',
      '',
      'add B 10.0.0.1',
      'add A 10.0.0.1',
      'add A 10.0.0.2 colour red',
      'create A hash:ip',
      'create C tree:ip',
      'frobnicate A',
      'add A 10.0.0.3 comment "open',
      'COMMIT',
    ].join('\n'),
  );
  assert.deepEqual(state, {
    kind: 'ipset',
    hasUnreadLines: true,
    sets: [
      {
        name: 'A',
        type: 'hash:ip',
        isCut: true,
        options: [{ name: 'comment' }, { name: 'timeout', value: '60' }],
        members: [
          {
            member: '10.0.0.1',
            options: [
              { name: 'comment', value: 'two words' },
              { name: 'timeout', value: '59' },
            ],
            line: 4,
          },
        ],
        line: 3,
      },
    ],
  });
  assert.deepEqual(problems, [
    '6: add: there is no set B',
    '7: add: 10.0.0.1 is a member of A already',
    '8: colour: no option of add, or its value is missing',
    '9: create: there is a set A already',
    '10: tree:ip: no type of set',
    '11: frobnicate: no command of ipset',
    '12: add: a quote is never closed',
  ]);
});

test('commands of restore are carried out: swap, rename, flush, del, destroy', () => {
  const { state, problems } = read(
    `create LIVE hash:ip,port
add LIVE 10.0.0.1,tcp:80
create SPARE hash:ip,port maxelem 9
add SPARE 10.0.0.2,tcp:80
add SPARE 10.0.0.3,TCP:http
ipset -exist add SPARE 10.0.0.2,tcp:80
del SPARE 10.0.0.3,tcp:80
del SPARE 10.0.0.9,tcp:80 -exist
swap LIVE SPARE
destroy SPARE
create E hash:ip
add E 10.1.1.6-10.1.1.8
add E 10.1.1.7/31 -exist
rename E F
-N G bitmap:port range 0-65535
-A G 80
flush G
`,
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    canonical(state).map(({ name, options, members }) => ({
      name,
      options,
      members: members.map(({ member }) => member),
    })),
    [
      {
        name: 'LIVE',
        options: [
          { name: 'family', value: 'inet' },
          { name: 'maxelem', value: '9' },
        ],
        members: ['10.0.0.2,tcp:80'],
      },
      {
        name: 'F',
        options: [
          { name: 'family', value: 'inet' },
          { name: 'maxelem', value: '65536' },
        ],
        members: ['10.1.1.6', '10.1.1.7', '10.1.1.8'],
      },
      { name: 'G', options: [{ name: 'range', value: '0-65535' }], members: [] },
    ],
  );
});
