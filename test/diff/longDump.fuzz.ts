import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readLongNodeDump } from '../../src/cli/long/readLongNodeDump.ts';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import type { Value } from '../../src/common/ranges/valueRange.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diffNode } from '../../src/diff/diffNode.ts';
import { compileForDump } from '../../src/diff/settle/compileForDump.ts';
import { diagnoseNode } from '../../src/doctor/diagnoseNode.ts';
import { longDumps } from '../../src/dump/bytes/excerpt/excerptLimits.ts';
import { indexLongDump } from '../../src/dump/bytes/indexLongDump.ts';
import { readLongDump } from '../../src/dump/bytes/readLongDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { load } from '../../src/load/files/load.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import type { CompileInput } from '../../src/pipeline/compile.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { ruleEntrances } from '../../src/trace/known/ruleEntrances.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { protocolName } from '../../src/trace/question/protocolName.ts';
import { traceText } from '../../src/trace/show/traceText.ts';
import { endText } from '../../src/walk/values/text.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { whyText } from '../../src/why/whyText.ts';
import { root } from '../support/compileCase.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { searchAtOnce } from '../support/searchAtOnce.ts';
import { targetFlags } from '../support/targetFlags.ts';
import { type RecordedDump, recordedSaves, textOf } from './diffCase.ts';
import { longSave } from './longSave.ts';

const everything = { leastBytes: 0, leastChains: 0, headBytes: 0, headLines: 0 };

async function inputOf({ fixture, args }: RecordedDump): Promise<CompileInput> {
  const at = (name: string) => join(root, 'fixtures', fixture, name);
  const own = readFileSync(at('args'), 'utf8').trim().split(/\s+/);
  const config = existsSync(at('config.yaml')) ? [at('config.yaml')] : [];
  const files = [at('manifests.yaml'), at('manifest.yaml')].filter((file) => existsSync(file));
  const flags = targetFlags([...own, '--no-allocate', ...args]);
  const read = async (paths: readonly string[]) => (await load(paths, { recursive: false }, () => {})).objects;
  const objects = { objects: await read(files), configObjects: await read(config) };
  return { ...objects, target: targetOptions(flags), kubeVersion: flags.kubeVersion };
}

interface Change {
  readonly kind: (typeof kinds)[number];
  readonly at: number;
  readonly to: number;
}

const kinds = [
  'lost',
  'twice',
  'swapped',
  'moved',
  'address',
  'port',
  'name',
  'otherTarget',
  'lostChain',
  'emptyChain',
  'stale',
  'odd',
  'policy',
  'words',
] as const;

/** A dump with some of its lines changed, as a careless hand or another program does. */
function changed(text: string, changes: readonly Change[]): string {
  let lines = text.split('\n');
  for (const change of changes) lines = apply(lines, change);
  return lines.join('\n');
}

function apply(lines: readonly string[], { kind, at, to }: Change): string[] {
  const own = [...lines];
  // Most changes are to be of rules and declarations of Services.
  const places = lines.flatMap((line, place) => (/^(?:-A |:)KUBE-(?:S|EXT|FW|XLB)/.test(line) ? [place] : []));
  const place = places[at % places.length] as number;
  const other = places[to % places.length] as number;
  const line = lines[place] as string;
  const chain = /KUBE-\S+/.exec(line)?.[0] ?? '';
  switch (kind) {
    case 'lost':
      own.splice(place, 1);
      break;
    case 'twice':
      own.splice(place, 0, line);
      break;
    case 'swapped':
      own[place] = lines[other] as string;
      own[other] = line;
      break;
    case 'moved':
      own.splice(place, 1);
      own.splice(other, 0, line);
      break;
    case 'address':
      own[place] = line.replace(/\d+\.\d+\.\d+\.\d+/, `192.0.2.${to % 250}`);
      break;
    case 'port':
      own[place] = line.replace(/(dport |:)\d+$|dport \d+/, `$19`);
      break;
    case 'name':
      return lines.map((one) => one.replaceAll(chain, `${chain.slice(0, -2)}ZZ`));
    case 'otherTarget':
      own[place] = line.replace(/KUBE-\S+$/, `KUBE-SEP-${'A'.repeat(16)}`);
      break;
    case 'lostChain':
      return lines.filter((one) => !one.startsWith(`:${chain} `) && !one.startsWith(`-A ${chain} `));
    case 'emptyChain':
      return lines.filter((one) => !one.startsWith(`-A ${chain} `));
    case 'stale':
      own.splice(place, 0, `-A ${chain} -s 192.0.2.${to % 250}/32 -j KUBE-MARK-MASQ`);
      break;
    case 'odd':
      own[place] = line.replace('/', '<br>/');
      break;
    case 'policy':
      return lines.map((one) => one.replace(/^:(FORWARD|OUTPUT) ACCEPT/, ':$1 DROP'));
    case 'words':
      own[place] = line.replace(/ -m comment --comment "?[^"]*"?(?= -|$)/, '');
      break;
  }
  return own;
}

/** What a comparison of the dump says, of everything that a user sees. */
async function saidOf(input: CompileInput, dump: NodeRules): Promise<unknown> {
  const diagnostics: Diagnostic[] = [];
  const compiled = compileForDump(input, dump, (diagnostic) => diagnostics.push(diagnostic));
  if (compiled === undefined) return diagnostics;
  const report = await diffNode(compiled, { level: 'rules', hasNfacct: false, family: 'both' });
  return { report: shown(report), diagnostics };
}

function shown({ chains, ...report }: DiffReport): unknown {
  const own = chains?.map(({ table, chain, missing, extra, moved, expected, found }) => {
    return { table, chain, missing, extra, moved, expected, found };
  });
  return { ...report, chains: own };
}

/** What becomes of a packet from outside to some Services, and why. */
function walked(dump: NodeRules): string {
  const tracer = createNodeTracer(dump);
  const { input } = tracer.tracerOf('ipv4');
  const entrances = ruleEntrances(input).filter(({ address, port }) => address !== undefined && port !== undefined);
  const texts = entrances.slice(0, 3).map(({ address, port, protocol }) => {
    const question = { from: 'outside', to: endText(address as Value, port), proto: protocolName(protocol ?? 6) };
    const result = tracer.trace(question);
    if ('kind' in result) return result.message;
    return `${traceText(result, tracer.endpointNames('ipv4'), { isVerbose: true })}${whyText(whyCauses(result, input, tracer.known(question, result)), result)}`;
  });
  return texts.join('\n');
}

const change = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(5000), to: fc.nat(5000) });

describe('a long dump whose chains of Services are read on demand', () => {
  it('is compared with manifests, and diagnosed, as one that is read whole', async () => {
    const dumps = recordedSaves().filter((dump) => /^[-:]/m.test(textOf(dump)) && textOf(dump).includes('KUBE-SEP-'));
    const inputs = new Map<RecordedDump, Promise<CompileInput>>();
    let runs = 0;
    let long = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(dumps.length - 1),
        fc.array(change, { maxLength: 4 }),
        fc.boolean(),
        fc.option(fc.nat(12), { nil: undefined }),
        async (which, changes, knowsVersion, lost) => {
          const recorded = dumps[which] as RecordedDump;
          const input = await (inputs.get(recorded) ?? inputOf(recorded));
          inputs.set(recorded, Promise.resolve(input));
          const text = changed(textOf(recorded), changes);
          const bytes = Buffer.from(text);
          runs += 1;
          const index = indexLongDump(bytes, everything);
          const name = { name: 'node.save', node: 'node' };
          const read = index && readLongDump(name, index, undefined);
          if (index === undefined || read === undefined) return;
          long += 1;
          // Of long texts no line is parsed to tell whether a tool can read it.
          const file = { name: 'node.save', text, kind: 'iptables', isExcerpt: true } as const;
          const whole = readDumps([file], { name: 'node' });
          const asked = knowsVersion ? input : { ...input, kubeVersion: undefined };
          const said = await saidOf(asked, whole);
          assert.deepEqual(await saidOf(asked, read), said);
          assert.deepEqual(await saidOf({ ...asked, search: searchAtOnce(index, lost) }, read), said);
          assert.deepEqual(shown(diagnoseNode(read)), shown(diagnoseNode(whole)));
          assert.equal(walked(read), walked(whole));
        },
      ),
      { seed, numRuns: 150 },
    );
    assert.ok(long > runs / 2, `${long} of ${runs}`);
  });

  it('is one file of a size from which lines are not parsed one by one; of others the bytes are read in the usual way', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-long-'));
    try {
      const path = join(folder, 'node.save');
      const text = longSave();
      writeFileSync(path, text);
      const long = await readLongNodeDump([path], 'both', 'search');
      assert.ok(long !== undefined && !Buffer.isBuffer(long));
      const { dump } = long;
      const bytes = dump.iptables[0]?.tables.get('nat')?.chains.bytes;
      assert.ok(bytes !== undefined && [...bytes.numbers()].length > longDumps.leastChains);
      const whole = readDumps([{ name: path, text }], { name: 'node.save' }).iptables[0]?.tables.get('nat');
      assert.deepEqual([...(dump.iptables[0]?.tables.get('nat')?.chains ?? [])], [...(whole?.chains ?? [])]);
      const [number = -1] = bytes.numbers();
      assert.ok(bytes.hasText(number, bytes.chainAt(number).text));
      assert.ok(!bytes.hasText(number, bytes.chainAt(number).text.replace('shop', 'sh\u00f6p')));
      for (const odd of [
        text.replaceAll(/^-A/gm, '[0:0] -A'),
        text.replaceAll('\n', '\r\n'),
        text.replaceAll(/KUBE-SEP-\w/g, 'KUBE-SEP-a'),
        `x ${text}`,
      ]) {
        writeFileSync(path, odd);
        const read = await readLongNodeDump([path], 'both', 'search');
        assert.ok(Buffer.isBuffer(read) && read.equals(Buffer.from(odd)));
      }
      const short = join(folder, 'short.save');
      writeFileSync(short, text.slice(0, 1000));
      for (const paths of [[short], [folder], ['-'], [join(folder, 'none')], [path, path]]) {
        assert.equal(await readLongNodeDump(paths, 'both', 'search'), undefined);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
