import type { ReportForm } from '../renderReport.ts';
import type { ReportContext } from '../reportContext.ts';
import type { NodeVerdict } from './nodeVerdict.ts';

/** How the answers of a command about many nodes become one report. */
export interface FleetReport<Answer extends NodeVerdict = NodeVerdict, Summary extends FleetSummary = FleetSummary> {
  /** The exit codes of nodes that count for the run; undefined: all. */
  codesOf?(answers: readonly Answer[]): readonly number[];
  /** A node that could not be judged, with its part in the form. */
  unjudged(verdict: NodeVerdict, form: FleetForm): Answer;
  /** For one run: what of an answer is kept until all nodes are judged, with parts that equal those of others shared. */
  keeping?(): { keep(answer: Answer): Answer };
  /** Nodes are in the order of `answers`. */
  summarize(answers: readonly Answer[], run: FleetRun): Summary;
  /** The output in pieces, in all forms but JSON. */
  render(form: FleetForm, summary: Summary, answers: readonly Answer[], context: FleetContext): Iterable<string>;
  /** An answer from a report that was printed as JSON. Undefined: another command printed it. */
  read(verdict: NodeVerdict, report: PlainObject, summary: Summary): Answer | undefined;
  /** What a merged report shows of a node, if it is not in the report as it was read. */
  bodyOf?(answer: Answer, isVerbose: boolean): string;
}

/** Forms that can hold several nodes. */
export type FleetForm = ReportForm | 'markdown';

export interface FleetContext extends Pick<ReportContext, 'style' | 'isVerbose'> {
  /** How much of a long list is shown; undefined: as much as usual. */
  readonly limit?: number | undefined;
}

/** Parsed JSON. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** What a run knows besides its answers. */
export interface FleetRun {
  /** Nodes that were not looked at. */
  readonly skipped: number;
  readonly shard?: Shard | undefined;
  /** That of the worst node. */
  readonly exitCode: number;
  /** Summaries of parts that were judged by other runs, in their order. */
  readonly parts?: readonly FleetSummary[];
}

/** One of several runs that together judge all nodes: every `of`th, starting with `index`, which counts from 0. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export const fleetCommands = ['diff', 'doctor', 'migrate', 'reach'] as const;

export type FleetCommandName = (typeof fleetCommands)[number];

/** The result for several nodes; each command adds its own. */
export interface FleetSummary {
  readonly command: FleetCommandName;
  readonly nodes: FleetCounts;
  readonly exitCode: number;
  readonly shard?: Shard;
}

export interface FleetCounts {
  readonly judged: number;
  readonly same: number;
  readonly differ: number;
  readonly unjudged: number;
  /** Skipped after the first that failed. */
  readonly skipped: number;
}

/** Version of the JSON lines; `schema/fleet-output.schema.json` describes them. */
export const fleetSchemaId = 'k8snet.fleet/v1';
