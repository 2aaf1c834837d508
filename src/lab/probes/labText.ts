import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { LabReport } from '../runLab.ts';
import { type LabProbe, sourceOf } from './labProbe.ts';
import type { CountedOutcome, ProbeResult } from './labResult.ts';

/** What happened, by the address that was asked; a line a client, and one for each way in which the walk disagrees. */
export function labText({ cluster, results }: LabReport): string {
  const podOf = new Map(
    cluster.parties
      .filter(({ kind }) => kind === 'pod')
      .flatMap(({ name, addresses }) => addresses.map((address) => [address, name] as const)),
  );
  const width = Math.max(...results.map(({ probe }) => probe.from.name.length));
  const groups = new Map<string, string[]>();
  for (const result of results) {
    const head = headOf(result.probe);
    const lines = groups.get(head) ?? [];
    groups.set(head, lines);
    lines.push(...linesOf(result, width, podOf));
  }
  const texts = [...groups].map(([head, lines]) => `${[head, ...lines].map((line) => escapeText(line)).join('\n')}\n`);
  return `${texts.join('\n')}\n${summaryOf(results)}\n`;
}

function headOf({ to, port, protocol, service, entrance }: LabProbe): string {
  const address = to.includes(':') ? `[${to}]` : to;
  const asked = `${port === undefined ? to : `${address}:${port}`}/${protocol}`;
  return service === undefined ? asked : `${asked}  ${service}, ${entrance}`;
}

function linesOf({ probe, outcomes, compared }: ProbeResult, width: number, podOf: ReadonlyMap<string, string>) {
  const from = probe.from.name.padEnd(width);
  const kinds = new Map<string, CountedOutcome[]>();
  for (const each of outcomes) {
    const { kind } = each.outcome;
    kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
  }
  const lines = [...kinds.values()].map((all) => `  ${from}  ${describe(probe, all, podOf)}`);
  return [...lines, ...(compared?.problems ?? []).map((problem) => `  ${' '.repeat(width)}  ✗ ${problem}`)];
}

const words = { refused: 'refused', timeout: 'no answer', unreachable: 'unreachable' } as const;

function describe(probe: LabProbe, all: readonly CountedOutcome[], podOf: ReadonlyMap<string, string>): string {
  const isOne = all.length === 1;
  const times = (number: number) => (number === 1 && isOne ? '' : ` ${number}×`);
  const answers = all.flatMap(({ outcome, count: number }) =>
    outcome.kind === 'answered' ? [{ ...outcome, number }] : [],
  );
  const [first] = all;
  if (answers.length === 0) {
    const kind = first?.outcome.kind;
    return kind === undefined || kind === 'answered' ? '' : `${words[kind]}${times(first?.count ?? 0)}`;
  }
  const own = sourceOf(probe);
  const parts = answers.slice(0, mostShown).map(({ by, sawSource, number }) => {
    const address = by.replace(/^\[?(.*?)\]?:\d+$/, '$1');
    const pod = podOf.get(address);
    const server = pod === undefined || pod === address ? by : `${pod} (${by})`;
    const source = sawSource === '-' || sawSource === own ? '' : `, sees ${sawSource}`;
    return `${server}${source}${times(number)}`;
  });
  const more = answers.length - parts.length;
  return `answered by ${parts.join('; ')}${more === 0 ? '' : `; and ${count(more, 'other')}`}`;
}

const mostShown = 8;

function summaryOf(results: readonly ProbeResult[]): string {
  const asked = count(results.length, 'probe');
  const wrong = results.filter(({ compared }) => (compared?.problems ?? []).length > 0).length;
  if (results.every(({ compared }) => compared === undefined)) return asked;
  return wrong === 0
    ? `${asked}: kernel and walk agree`
    : `${asked}: kernel and walk disagree about ${wrong === results.length ? 'all' : wrong}`;
}
