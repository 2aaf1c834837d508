import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type Loaded, loadTexts, type SharedWork, shareWork, toFiles, toText } from '../src/public/core.ts';
import { orThrow } from '../src/public/result.ts';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';

/** What follows from one changed Service, where the results of the last run are kept: from objects, and from texts. */
export async function benchAgain(scratch: string, runs: number): Promise<void> {
  const file = join(scratch, 'again.json');
  makeCluster(file, { services: 10_000, endpointsPerService: 10 }, 'json');
  const { value } = await loadTexts([{ name: 'again.json', text: readFileSync(file, 'utf8') }]);
  console.log(
    `\n10,000 Services again, after one of them changed (median of ${runs}, behind ${warmUp} that are not counted)`,
  );
  for (const [mode, form] of [
    ['iptables', 'save'],
    ['iptables', 'restore'],
    ['nftables', 'restore'],
  ] as const) {
    const work = await shareWork();
    let objects = value.objects;
    const times = await measured(runs, async (run) => {
      objects = withChange(objects, run);
      await textLength(objects, mode, form, work);
    });
    console.log(`  objects to ${form.padEnd(8)}${mode}  ${times.toFixed(0).padStart(5)} ms CPU`);
  }
  const yaml = join(scratch, 'again.yaml');
  makeCluster(yaml, { services: 1_000, endpointsPerService: 3 }, 'yaml');
  const work = await shareWork();
  let text = readFileSync(yaml, 'utf8');
  const times = await measured(runs, async (run) => {
    text = text.replace(/port: \d+\n/, `port: ${1000 + run}\n`);
    const loaded = await loadTexts([{ name: 'again.yaml', text }], { memory: work.texts });
    await textLength(loaded.value.objects, 'iptables', 'save', work);
  });
  console.log(`  1,000 x 3, YAML to save     ${times.toFixed(0).padStart(5)} ms CPU`);
}

type Objects = Loaded['objects'];

/** The engine compiles what runs often. */
const warmUp = 10;

/** Milliseconds of CPU time, the median. */
async function measured(runs: number, work: (run: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < warmUp + runs; run += 1) {
    const before = process.cpuUsage();
    await work(run);
    const { user, system } = process.cpuUsage(before);
    if (run >= warmUp) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[runs >> 1] ?? 0;
}

async function textLength(
  objects: Objects,
  mode: 'iptables' | 'nftables',
  form: 'save' | 'restore',
  { sharing }: SharedWork,
): Promise<number> {
  const { value: compiled } = await compile(objects, { node: benchNode, mode, sharing });
  if (compiled === undefined) throw new Error('the cluster does not compile');
  const files = await orThrow(toFiles(compiled));
  let length = 0;
  for (const piece of await orThrow(toText(compiled, files, { form, family: 'ipv4' }))) length += piece.length;
  return length;
}

/** Another port of a Service, and one endpoint less in its slice. */
function withChange(objects: Objects, run: number): Objects {
  const changed = [...objects];
  for (const kind of ['Service', 'EndpointSlice']) {
    const of = objects.filter((object) => object.kind === kind);
    const old = of[(run * 7) % of.length] as Objects[number];
    const value = structuredClone(old.value) as { spec?: { ports: { port: number }[] }; endpoints?: unknown[] };
    for (const port of value.spec?.ports ?? []) port.port += 1;
    value.endpoints?.pop();
    changed[objects.indexOf(old)] = { ...old, value: value as Objects[number]['value'] };
  }
  return changed;
}
