import { gatewaysOf } from '../../src/lab/network/gateways.ts';
import type { NodeMachine } from '../../src/lab/network/labNetwork.ts';
import type { Lab } from '../../src/lab/openLab.ts';
import { type Probe, type ProbeOutcome, runProbes } from '../../src/lab/probes/runProbes.ts';

/** Connections, and what must become of all of them. */
export interface Flow extends Omit<Probe, 'timeoutMs' | 'count' | 'isHeld'> {
  readonly expect: Expectation;
}

export type Expectation = 'refused' | 'timeout' | Answer;

export interface Answer {
  readonly kind: 'answer';
  /** Names of the servers that take part; each must be met. */
  readonly by: readonly string[];
  /**
   * What servers see: the client's own address, or one of the node's (masqueraded). `hairpin`: the node's where client
   * and server are one, else the client's own. `target`: the address that was called, which is the client's own too.
   */
  readonly source: 'own' | 'node' | 'hairpin' | 'target';
  /** `even`: each server gets its part. `sticky`: one server gets all. Default: nothing is said. */
  readonly shares?: 'even' | 'sticky';
}

export function answeredBy(by: readonly string[], source: Answer['source'], shares?: Answer['shares']): Answer {
  return { kind: 'answer', by, source, ...(shares === undefined ? {} : { shares }) };
}

/**
 * Sends all flows at once and tells, in words, what is not as expected; `node` is the one that has the rules. An answer
 * that is expected has all the time that a busy machine may need, unless `answerMs` says that none will come.
 */
export async function checkFlows(
  lab: Lab,
  node: NodeMachine,
  flows: readonly Flow[],
  answerMs = 8000,
): Promise<readonly string[]> {
  const outcomes = await runProbes(
    lab,
    flows.map(({ expect, ...probe }) => ({
      ...probe,
      count: connections(expect),
      timeoutMs: expect === 'timeout' ? 500 : answerMs,
    })),
  );
  return flows.flatMap((flow, index) => {
    const problem = problemWith(lab, node, flow, outcomes[index] ?? []);
    const { from, to, port, protocol = 'tcp' } = flow;
    return problem === undefined ? [] : [`${from} to ${to} ${protocol} ${port}: ${problem}`];
  });
}

/**
 * So many that chance fails no test: one of three servers is missed by 60 connections once in 10^10 runs; for the bounds
 * of even shares see below.
 */
function connections(expect: Expectation): number {
  if (typeof expect === 'string') return 2;
  if (expect.shares === 'even') return 600;
  return expect.by.length > 1 ? 60 : 5;
}

function problemWith(lab: Lab, node: NodeMachine, flow: Flow, outcomes: readonly ProbeOutcome[]): string | undefined {
  const { expect } = flow;
  if (typeof expect === 'string') {
    const other = outcomes.find(({ kind }) => kind !== expect);
    return other && `expected ${expect}, got ${describe(other)}`;
  }
  const { network } = lab;
  const client = [...network.nodes, ...network.pods, ...network.hosts].find(({ name }) => name === flow.from);
  const own = [...(client?.addresses ?? []), ...(flow.sourceAddress ? [flow.sourceAddress] : [])];
  // What masquerading can give: the node's own addresses, and the gateways of its pods.
  const ofNode = [...node.addresses, ...gatewaysOf(network, node)];
  for (const outcome of outcomes) {
    if (outcome.kind !== 'answered') return `expected an answer, got ${describe(outcome)}`;
    if (!expect.by.includes(outcome.by)) return `answered by ${outcome.by}, expected ${expect.by.join(' or ')}`;
    const isSelf = outcome.by === flow.from;
    const source = expect.source === 'hairpin' ? (isSelf ? 'node' : 'own') : expect.source;
    const wanted = { own, node: ofNode, target: [flow.to] }[source];
    if (!wanted.includes(outcome.sawSource)) {
      return `${outcome.by} saw ${outcome.sawSource}, expected ${wanted.join(' or ')}`;
    }
  }
  return problemWithShares(expect, outcomes);
}

function problemWithShares({ by, shares }: Answer, outcomes: readonly ProbeOutcome[]): string | undefined {
  const counts = new Map<string, number>(by.map((name) => [name, 0]));
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered') counts.set(outcome.by, (counts.get(outcome.by) ?? 0) + 1);
  }
  const said = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  if (shares === 'sticky') {
    return [...counts.values()].some((count) => count === outcomes.length) ? undefined : `no affinity: ${said}`;
  }
  const missed = [...counts].find(([, count]) => count === 0);
  if (missed !== undefined) return `${missed[0]} was never met: ${said}`;
  if (shares !== 'even') return undefined;
  const share = outcomes.length / by.length;
  // Six standard deviations of a binomial: chance leaves them once in 10^8.
  const slack = 6 * Math.sqrt(share * (1 - 1 / by.length));
  const isEven = [...counts.values()].every((count) => Math.abs(count - share) <= slack);
  return isEven ? undefined : `uneven: ${said}`;
}

function describe(outcome: ProbeOutcome): string {
  return outcome.kind === 'answered' ? `an answer by ${outcome.by} that saw ${outcome.sawSource}` : outcome.kind;
}
