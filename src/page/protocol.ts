import type { PlacedDiagnostic, PrintedForm, ServiceMap, SourcePlace, TracedPacket } from '../public/core.ts';
import type { PageInput, SettingName } from './pageInput.ts';

/** What the page asks its worker, and what that answers. Everything is plain data. */

/** The rules that are shown: settings of the page with another mode or version, in one form. */
export interface Variant {
  /** Empty: that of the settings. */
  readonly mode: string;
  /** Empty: that of the settings. */
  readonly version: string;
  readonly form: PrintedForm | 'dump';
  readonly family: 'ipv4' | 'ipv6' | 'both';
}

export interface Questions {
  readonly rules: Variant;
  /** Where a line of rules, or what is written in a line of the manifests, comes from and stands. */
  readonly sources: { readonly variant: Variant; readonly at: LightPlace };
  /** The lines of rules that come from sources. */
  readonly lines: { readonly variant: Variant; readonly names: readonly string[] };
  readonly line: { readonly variant: Variant; readonly line: number };
  readonly versions: { readonly mode: string };
  readonly services: null;
  readonly parties: null;
  readonly walk: WalkQuestion;
  readonly policies: { readonly rows: 'namespaces' | 'pods'; readonly family: 'ipv4' | 'ipv6' };
  readonly connection: { readonly from: string; readonly to: string; readonly port: string };
  readonly findings: null;
  readonly kinds: { readonly texts: readonly string[] };
}

export interface WalkQuestion {
  readonly from: string;
  readonly to: string;
  readonly proto: string;
}

export interface Answers {
  readonly rules: RulesAnswer;
  readonly sources: readonly ShownSource[];
  readonly lines: readonly number[];
  readonly line: { readonly sentence: string | undefined };
  readonly versions: readonly string[];
  readonly services: { readonly maps: readonly ServiceMap[]; readonly problems: readonly PlacedDiagnostic[] };
  readonly parties: { readonly from: readonly string[]; readonly to: readonly string[] };
  readonly walk: (
    | { readonly kind: 'problem'; readonly message: string }
    | ({ readonly kind: 'walked' } & TracedPacket)
  ) & { readonly notes: readonly PlacedDiagnostic[] };
  readonly policies: PoliciesAnswer;
  readonly connection: { readonly text: string };
  readonly findings: FindingsAnswer;
  readonly kinds: readonly ('objects' | 'dump')[];
}

export interface RulesAnswer {
  readonly text: string;
  readonly problems: readonly PlacedDiagnostic[];
  readonly settingProblems: readonly { readonly setting: SettingName; readonly message: string }[];
  /** What was compiled: `iptables`, `1.37`. */
  readonly mode: string;
  readonly version: string;
}

/** A line (from 1) that was chosen: of the rules, or of a file of manifests. */
export type LightPlace =
  | { readonly kind: 'rule'; readonly line: number }
  | { readonly kind: 'manifest'; readonly file: string; readonly line: number };

/** A Service port or an endpoint, with the line where it is written. */
export interface ShownSource {
  readonly kind: string;
  readonly name: string;
  readonly place: SourcePlace | undefined;
}

export interface PoliciesAnswer {
  readonly title: string;
  readonly names: readonly string[];
  readonly parties: readonly string[];
  /** By name of a Pod the ports that it names: what is asked about where nothing else is. */
  readonly ports: Readonly<Record<string, string>>;
  readonly cells: readonly (readonly { readonly text: string; readonly unknown: number }[])[];
  readonly problems: readonly PlacedDiagnostic[];
}

export interface FindingsAnswer {
  readonly summary: string;
  readonly findings: readonly ShownFinding[];
  readonly problems: readonly PlacedDiagnostic[];
}

export interface ShownFinding {
  readonly id: string;
  readonly severity: string;
  readonly service: string | undefined;
  readonly seen: string;
  readonly why: string;
  readonly fix: string;
}

export type QuestionKind = keyof Questions;

/** `input` comes with the first question about it. */
export interface Asked<K extends QuestionKind = QuestionKind> {
  readonly id: number;
  readonly kind: K;
  readonly question: Questions[K];
  readonly input?: PageInput;
}

export type Answered =
  | { readonly id: number; readonly answer: Answers[QuestionKind] }
  /** A bug of ours. */
  | { readonly id: number; readonly failure: string };
