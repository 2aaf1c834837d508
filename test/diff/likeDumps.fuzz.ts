import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffLongDumps } from '../../src/cli/long/diffLongDumps.ts';
import { readAhead } from '../../src/cli/long/readAhead.ts';
import { hasRenamedChains } from '../../src/diff/compare/hasRenamedChains.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { readLikeDumps } from '../../src/dump/bytes/readLikeDumps.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';

const how = { level: 'rules', hasForeign: false } as const;
const limits = { leastBytes: 0, leastChains: 0, headBytes: 500, headLines: 100 };

/** Rules by chain, in the order of a dump. */
type Nat = ReadonlyMap<string, readonly string[]>;

const services = 40;

function nat(): Nat {
  const chains = new Map<string, string[]>([
    ['PREROUTING', ['-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES']],
    ['INPUT', []],
    ['OUTPUT', ['-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES']],
    ['POSTROUTING', ['-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING']],
    ['KUBE-MARK-MASQ', ['-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000']],
    ['KUBE-NODEPORTS', []],
    ['KUBE-POSTROUTING', ['-A KUBE-POSTROUTING -j MASQUERADE --random-fully']],
    ['KUBE-SERVICES', []],
  ]);
  for (let at = 0; at < services; at += 1) addService(chains, at);
  return chains;
}

function addService(chains: Map<string, string[]>, at: number): void {
  const service = `KUBE-SVC-${nameOf('S', at)}`;
  const comment = `shop/web-${at}:http`;
  chains
    .get('KUBE-SERVICES')
    ?.push(
      `-A KUBE-SERVICES -d 10.96.0.${at}/32 -p tcp -m comment --comment "${comment} cluster IP" -m tcp --dport 80 -j ${service}`,
    );
  const lines: string[] = [];
  for (const index of [0, 1]) {
    const endpoint = `KUBE-SEP-${nameOf('E', 2 * at + index)}`;
    const ip = `10.244.${index}.${at}`;
    const share = index === 0 ? '-m statistic --mode random --probability 0.50000000000 ' : '';
    lines.push(`-A ${service} -m comment --comment "${comment} -> ${ip}:8080" ${share}-j ${endpoint}`);
    chains.set(endpoint, [
      `-A ${endpoint} -s ${ip}/32 -m comment --comment "${comment}" -j KUBE-MARK-MASQ`,
      `-A ${endpoint} -p tcp -m comment --comment "${comment}" -m tcp -j DNAT --to-destination ${ip}:8080`,
    ]);
  }
  chains.set(service, lines);
}

function nameOf(kind: string, at: number): string {
  return `${kind}${at.toString().padStart(3, 'A')}`.padEnd(16, 'QXZ');
}

interface Change {
  readonly kind: (typeof kinds)[number];
  readonly at: number;
}

const kinds = [
  'address',
  'lostRule',
  'newRule',
  'swap',
  'lostService',
  'newService',
  'otherName',
  'otherEndpoint',
  'otherServiceName',
  'stale',
  'twice',
  'apart',
  'counters',
  'policy',
  'odd',
  'foreign',
  'undeclared',
] as const;

function saved(chains: Nat): string {
  const declared = [...chains.keys()].map((name) => `:${name} ${/^[A-Z]+$/.test(name) ? 'ACCEPT' : '-'} [0:0]`);
  return ['*nat', ...declared, ...[...chains.values()].flat(), 'COMMIT', ''].join('\n');
}

interface Drawn {
  readonly changes: readonly Change[];
  readonly order: number;
  readonly ends: string;
  readonly isLarge: boolean;
}

/** A dump of the chains with some of them changed, and in another order. */
function textOf({ changes, order, ends, isLarge }: Drawn): string {
  const chains = new Map([...nat()].map(([name, lines]) => [name, [...lines]]));
  const declarations = new Map<string, string>();
  const late: string[] = [];
  for (const change of changes) apply(change, chains, declarations, late);
  const names = [...chains.keys()];
  const fixed = names.slice(0, 8);
  const rest = rotated(names.slice(8), order);
  const isBuiltin = (name: string) => /^[A-Z]+$/.test(name);
  const declared = [...fixed, ...(order % 2 === 0 ? names.slice(8) : rest)].flatMap(
    (name) => declarations.get(name) ?? `:${name} ${isBuiltin(name) ? 'ACCEPT' : '-'} [0:0]`,
  );
  const filter = ['*filter', ':INPUT ACCEPT [0:0]', ':FORWARD ACCEPT [0:0]', ':OUTPUT ACCEPT [0:0]', 'COMMIT'];
  const rules = [...fixed, ...rest].flatMap((name) => chains.get(name) ?? []);
  const lines = [...filter, '*nat', ...declared.filter((line) => line !== ''), ...rules, ...late, 'COMMIT', ''];
  return (isLarge ? lines.map(withoutComment) : lines).join(ends);
}

/** As in clusters with more than 1,000 endpoints. */
function withoutComment(line: string): string {
  return /^-A KUBE-S(?:VC|EP)-/.test(line) ? line.replace(/ -m comment --comment "[^"]*"/, '') : line;
}

function rotated(names: readonly string[], by: number): readonly string[] {
  const at = by % names.length;
  return [...names.slice(at), ...names.slice(0, at)];
}

function apply(
  { kind, at }: Change,
  chains: Map<string, string[]>,
  declarations: Map<string, string>,
  late: string[],
): void {
  const number = at % services;
  const endpoint = `KUBE-SEP-${nameOf('E', at % (2 * services))}`;
  const service = `KUBE-SVC-${nameOf('S', number)}`;
  const edit = (chain: string, change: (line: string) => string) =>
    chains.set(chain, (chains.get(chain) ?? []).map(change));
  const rename = (from: string, to: string) => {
    for (const [name, lines] of [...chains]) {
      chains.delete(name);
      chains.set(
        name === from ? to : name,
        lines.map((line) => line.replaceAll(from, to)),
      );
    }
  };
  switch (kind) {
    case 'address':
      edit(endpoint, (line) => line.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:9'));
      break;
    case 'lostRule':
      chains.set(endpoint, (chains.get(endpoint) ?? []).slice(1));
      break;
    case 'newRule':
      chains.get(service)?.unshift(`-A ${service} -s 192.0.2.7/32 -j KUBE-MARK-MASQ`);
      break;
    case 'swap':
      chains.get(service)?.reverse();
      break;
    case 'lostService':
      chains.set(
        'KUBE-SERVICES',
        (chains.get('KUBE-SERVICES') ?? []).filter((line) => !line.includes(service)),
      );
      break;
    case 'newService':
      addService(chains, 60 + number);
      break;
    case 'otherName':
      rename(endpoint, `${endpoint.slice(0, -2)}YY`);
      break;
    case 'otherEndpoint':
      rename(endpoint, `${endpoint.slice(0, -2)}YY`);
      edit(`${endpoint.slice(0, -2)}YY`, (line) => line.replaceAll(/10\.244\.\d/g, '10.244.9'));
      break;
    case 'otherServiceName':
      rename(service, `${service.slice(0, -2)}YY`);
      break;
    case 'stale':
      chains.set(`KUBE-SEP-${nameOf('Z', at)}`, [`-A KUBE-SEP-${nameOf('Z', at)} -s 10.1.1.1/32 -j KUBE-MARK-MASQ`]);
      break;
    case 'twice':
      declarations.set(endpoint, `:${endpoint} - [0:0]\n:${endpoint} - [0:0]`);
      break;
    case 'apart':
      late.push(`-A ${endpoint} -s 192.0.2.${number}/32 -j KUBE-MARK-MASQ`);
      break;
    case 'counters':
      declarations.set(endpoint, `:${endpoint} - [5:300]`);
      break;
    case 'policy':
      declarations.set('OUTPUT', ':OUTPUT DROP [0:0]');
      break;
    case 'odd':
      edit(endpoint, (line) => line.replace('shop/', 'a<b>/'));
      break;
    case 'foreign':
      chains.set('OTHER', [`-A OTHER -j ${endpoint}`, '-A OTHER -j MARK --set-xmark 0x4000/0x4000']);
      break;
    case 'undeclared':
      declarations.set(endpoint, '');
      break;
  }
}

function read(name: string, text: string): NodeRules {
  return readDumps([{ name, text }], { name });
}

async function readAlike(one: string, other: string): Promise<readonly [NodeRules, NodeRules] | undefined> {
  const bytes = (name: string, text: string) => ({ name, node: name, bytes: Buffer.from(text) });
  return readLikeDumps(bytes('one.save', one), bytes('other.save', other), undefined, limits);
}

/** Undefined: the dumps have to be read whole. */
async function compareAlike(one: string, other: string, level: 'rules' | 'bytes'): Promise<DiffReport | undefined> {
  const alike = await readAlike(one, other);
  if (alike === undefined || hasRenamedChains(...alike, level)) return undefined;
  return diffDumps(...alike, { ...how, level });
}

/** Chains of a report are those of its dumps: their own sets tell nothing new. */
function shown({ chains, ...report }: DiffReport): unknown {
  const own = chains?.map(({ table, chain, missing, extra, moved, expected, found }) => {
    return { table, chain, missing, extra, moved, expected, found };
  });
  return { ...report, chains: own };
}

const change = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(200) });
const text = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  order: fc.nat(100),
  ends: fc.constantFrom('\n', '\n', '\n', '\n', '\r\n'),
  isLarge: fc.boolean(),
});

describe('two dumps that have nearly everything in common', () => {
  it('are compared without their equal chains as they are with them', async () => {
    let alike = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom('rules' as const, 'bytes' as const), async (a, b, level) => {
        const [one, other] = [a, { ...b, isLarge: a.isLarge }].map(textOf) as [string, string];
        const [before, after] = [read('one.save', one), read('other.save', other)];
        // What is said of short texts alone.
        const isCut = [before, after].some(({ unread, iptables }) => {
          return unread.length > 0 || iptables.some(({ tables }) => [...tables.values()].some(({ cut }) => cut));
        });
        if (isCut) return;
        runs += 1;
        const report = await compareAlike(one, other, level);
        if (report === undefined) return;
        alike += 1;
        assert.deepEqual(shown(report), shown(diffDumps(before, after, { ...how, level })));
      }),
      { seed, numRuns: 400 },
    );
    assert.ok(alike > runs / 4, `${alike} of ${runs}`);
  });

  it('are read whole where a chain with another name could be taken for one that was left out', async () => {
    const same = [...nat()].map(([name, lines]): [string, string[]] => [name, [...lines]]);
    const [one, other] = ['KUBE-SVC-ONE', 'KUBE-SVC-OTHER'].map((name, at) => {
      const chains = new Map(same.map(([own, lines]) => [own, [...lines]]));
      const own = at === 0 ? 'KUBE-SEP-ONE' : 'KUBE-SEP-OTHER';
      chains.get('KUBE-SERVICES')?.push(`-A KUBE-SERVICES -d 10.96.9.9/32 -p tcp -m tcp --dport 80 -j ${name}`);
      chains.set(name, [`-A ${name} -j ${own}`, `-A ${name} -j KUBE-SEP-BOTH`]);
      for (const endpoint of [own, 'KUBE-SEP-BOTH']) {
        chains.set(endpoint, [`-A ${endpoint} -p tcp -m tcp -j DNAT --to-destination 10.244.9.9:80`]);
      }
      return saved(chains);
    }) as [string, string];
    assert.notEqual(await readAlike(one, other), undefined);
    assert.equal(await compareAlike(one, other, 'rules'), undefined);
    assert.notEqual(await compareAlike(one, other, 'bytes'), undefined);
  });

  it('need no strings of what is equal, from the size on from which lines are not parsed one by one', async () => {
    const chains = new Map([...nat()].map(([name, lines]) => [name, [...lines]]));
    for (let at = 0; at < 14_000; at += 1) addService(chains, at);
    const one = saved(chains);
    const changed = one.replace('--to-destination 10.244.1.13999:8080', '--to-destination 192.0.2.1:9');
    const bytes = (name: string, text: string) => ({ name, node: name, bytes: Buffer.from(text) });
    const read = await readLikeDumps(bytes('one', one), bytes('other', changed), undefined);
    assert.ok(read !== undefined);
    const known = read[0].iptables[0]?.tables.get('nat')?.chains.size ?? 0;
    assert.ok(known > 0 && known < chains.size / 2, `${known} of ${chains.size}`);
    const [change] = diffDumps(...read, how).changes.flatMap(({ place }) => place?.line ?? []);
    assert.equal(change, changed.slice(0, changed.indexOf('192.0.2.1')).split('\n').length);
    for (const text of [
      changed.replaceAll('\n', '\r\n'),
      changed.replaceAll(/^-A/gm, '[0:0] -A'),
      `${changed}*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n`,
      changed.slice(0, 1 << 22),
      `x ${changed}`,
    ]) {
      assert.equal(await readLikeDumps(bytes('one', one), bytes('other', text), undefined), undefined);
    }
  });

  it('are compared from files as they are from texts, and other files are left to who reads any', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-like-'));
    try {
      const chains = new Map([...nat()].map(([name, lines]) => [name, [...lines]]));
      for (let at = 0; at < 14_000; at += 1) addService(chains, at);
      const texts = [saved(chains), saved(chains).replaceAll(/(10\.244\.1\.7\d\d):8080$/gm, '$1:9')] as const;
      const paths = ['one.save', 'other.save'].map((name) => join(folder, name)) as [string, string];
      for (const [at, path] of paths.entries()) writeFileSync(path, texts[at] as string);
      const short = join(folder, 'short.save');
      writeFileSync(short, saved(nat()));
      const report = await diffLongDumps(paths, 'both', how, readAhead(['diff', ...paths]));
      assert.ok(report !== undefined);
      const [before, after] = paths.map((path, at) => {
        return readDumps([{ name: path, text: texts[at] as string }], { name: basename(path) });
      }) as [NodeRules, NodeRules];
      assert.deepEqual(shown(report), shown(diffDumps(before, after, how)));
      for (const others of [
        [paths[0], short],
        [paths[0], join(folder, 'none')],
        [paths[0], folder],
        ['-', paths[0]],
        [...paths, paths[0]],
      ]) {
        assert.equal(await diffLongDumps(others, 'both', how, readAhead([])), undefined);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
