import { emptyInput, type PageInput } from '../pageInput.ts';
import type { Variant, WalkQuestion } from '../protocol.ts';

/** All that the page shows: what the address holds, and what a lesson sets. */
export interface PageState {
  readonly input: PageInput;
  readonly tab: Tab;
  /** Which of the manifests, and of the dumps, the editor shows. */
  readonly file: number;
  readonly view: View;
  readonly variant: Variant;
  /** Shown beside it; undefined: nothing is. */
  readonly other: Variant | undefined;
  /** The Service port of the map; empty: the first. */
  readonly service: string;
  readonly walk: WalkQuestion & { readonly outcome: number; readonly step: number };
  readonly policies: { readonly rows: 'namespaces' | 'pods'; readonly family: 'ipv4' | 'ipv6' };
  /** The cell of the matrix that is explained; undefined: none. */
  readonly cell: { readonly from: string; readonly to: string; readonly port: string } | undefined;
  readonly lesson: string;
}

export type Tab = 'manifests' | 'dump' | 'settings';
export type View = (typeof views)[number]['id'];

export const views = [
  { id: 'rules', title: 'Rules' },
  { id: 'map', title: 'Services' },
  { id: 'walk', title: 'Packet' },
  { id: 'policies', title: 'Policies' },
  { id: 'findings', title: 'Findings' },
  { id: 'lessons', title: 'Lessons' },
] as const;

export const firstState: PageState = {
  input: emptyInput,
  tab: 'manifests',
  file: 0,
  view: 'rules',
  variant: { mode: '', version: '', form: 'save', family: 'both' },
  other: undefined,
  service: '',
  walk: { from: '', to: '', proto: '', outcome: 0, step: 0 },
  policies: { rows: 'pods', family: 'ipv4' },
  cell: undefined,
  lesson: '',
};

export type Change = (change: Partial<PageState>) => void;
