import { useMemo, useState } from 'preact/hooks';
import type { ShownSource, Variant } from '../protocol.ts';
import { useAnswer } from './useAnswer.ts';

export interface WrittenPlace {
  readonly file: string;
  readonly line: number;
}

/** What lights up on both sides, rules and manifests, because a line of one of them was chosen. */
export interface Light {
  /** Sources of rules. */
  readonly names: readonly string[];
  /** How often a line of the manifests was chosen; 0: a rule was, and is in sight. */
  readonly chosen: number;
  /** Lines of a file of manifests. */
  readonly linesIn: (file: string) => ReadonlySet<number>;
  readonly fromRule: (variant: Variant, line: number) => void;
  readonly fromManifest: (file: string, line: number) => void;
  /** Shows a place in the editor. */
  readonly reveal: (place: WrittenPlace) => void;
}

type Chosen =
  | { readonly kind: 'rule'; readonly variant: Variant; readonly line: number }
  | { readonly kind: 'manifest'; readonly file: string; readonly line: number };

/** `variant`: what is shown of the manifests. */
export function useLight(variant: Variant, reveal: (place: WrittenPlace) => void): Light {
  const [{ at, chosen }, setLit] = useState<{ readonly at: Chosen | undefined; readonly chosen: number }>(nothing);
  const question = at && { variant: at.kind === 'rule' ? at.variant : variant, at: placeOf(at) };
  // Who types moves the cursor too: the rules come first.
  const { answer = none } = useAnswer('sources', question, afterTyping);
  return useMemo(
    () => ({
      names: closest(answer, at).map(({ name }) => name),
      chosen,
      linesIn: (file) => new Set(closest(answer, at).flatMap(({ place }) => (place?.file === file ? place.line : []))),
      fromRule: (of, line) => setLit({ at: { kind: 'rule', variant: of, line }, chosen: 0 }),
      fromManifest: (file, line) =>
        setLit(({ chosen: before }) => ({ at: { kind: 'manifest', file, line }, chosen: before + 1 })),
      reveal,
    }),
    [answer, at, chosen],
  );
}

/** Milliseconds without a change of the input, after which what only lights up is asked for. */
export const afterTyping = 200;

const nothing = { at: undefined, chosen: 0 };
const none: readonly ShownSource[] = [];

function placeOf(at: Chosen) {
  const { kind, line } = at;
  return kind === 'rule' ? { kind, line } : { kind, line, file: at.file };
}

/** An endpoint says more about a rule than the Service that it belongs to. */
function closest(sources: readonly ShownSource[], at: Chosen | undefined): readonly ShownSource[] {
  const endpoints = sources.filter(({ kind }) => kind === 'endpoint');
  return at?.kind === 'rule' && endpoints.length > 0 ? endpoints : sources;
}
