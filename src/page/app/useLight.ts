import { useMemo, useState } from 'preact/hooks';
import type { Answers } from '../protocol.ts';

type Origins = Answers['provenance'] | undefined;

export interface LightPlace {
  readonly file: string;
  readonly line: number;
}

/** What lights up on both sides: sources of rules, by name, chosen by a rule or by a line of the manifests. */
export interface Light {
  readonly names: ReadonlySet<string>;
  /** How often a line of the manifests was chosen; 0: a rule was, and is in sight. */
  readonly chosen: number;
  /** Lines of printed rules that come from what is lit. */
  readonly linesOf: (origins: Origins) => ReadonlySet<number>;
  /** Lines of a file of manifests that are lit. */
  readonly placesIn: (file: string, origins: Origins) => ReadonlySet<number>;
  readonly fromRule: (origins: Origins, line: number) => void;
  readonly fromManifest: (origins: Origins, file: string, line: number) => void;
  /** Shows a place in the editor. */
  readonly reveal: (place: LightPlace) => void;
}

export function useLight(reveal: (place: LightPlace) => void): Light {
  const [{ names, chosen }, setLit] = useState<{ readonly names: ReadonlySet<string>; readonly chosen: number }>(
    nothing,
  );
  return useMemo(
    () => ({
      names,
      chosen,
      linesOf: (origins) => linesOf(names, origins),
      placesIn: (file, origins) => placesIn(names, file, origins),
      fromRule: (origins, line) => setLit({ names: new Set(namesAt(origins, line)), chosen: 0 }),
      fromManifest: (origins, file, line) =>
        setLit(({ chosen: before }) => ({ names: new Set(namesAtPlace(origins, file, line)), chosen: before + 1 })),
      reveal,
    }),
    [names, chosen],
  );
}

const nothing = { names: new Set<string>(), chosen: 0 };

function linesOf(names: ReadonlySet<string>, origins: Origins): ReadonlySet<number> {
  const lines = new Set<number>();
  if (names.size === 0 || origins === undefined) return lines;
  const wanted = new Set(origins.sources.flatMap(({ name }, at) => (names.has(name) ? [at] : [])));
  for (const [at, sources] of origins.lines.entries()) {
    if (sources.some((source) => wanted.has(source))) lines.add(at + 1);
  }
  return lines;
}

function placesIn(names: ReadonlySet<string>, file: string, origins: Origins): ReadonlySet<number> {
  const places = (origins?.sources ?? []).filter(({ name }) => names.has(name)).flatMap(({ place }) => place ?? []);
  return new Set(places.filter((place) => place.file === file).map(({ line }) => line));
}

/** An endpoint says more than the Service that it belongs to. */
function namesAt(origins: Origins, line: number): readonly string[] {
  const sources = (origins?.lines[line - 1] ?? []).flatMap((at) => origins?.sources[at] ?? []);
  const endpoints = sources.filter(({ kind }) => kind === 'endpoint');
  return (endpoints.length > 0 ? endpoints : sources).map(({ name }) => name);
}

/** What is written at the line, or begins last before it. */
function namesAtPlace(origins: Origins, file: string, line: number): readonly string[] {
  const before = (origins?.sources ?? []).filter(({ place }) => place?.file === file && place.line <= line);
  const last = before.reduce((most, { place }) => Math.max(most, place?.line ?? 0), 0);
  return before.filter(({ place }) => place?.line === last).map(({ name }) => name);
}
