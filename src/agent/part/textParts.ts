import type { FindSections, SectionedText } from './sections.ts';
import type { Span, TextChange } from './textChanges.ts';

/** What some Services are recognized by where a rule does not name them. */
export interface ServicePlaces {
  /** `namespace/name`. */
  readonly services: ReadonlySet<string>;
  /** Cluster IPs, external ones, and those of load balancers. */
  readonly addresses: ReadonlySet<string>;
  readonly nodePorts: ReadonlySet<string>;
  /** `10.244.1.7 8080` of each endpoint. */
  readonly endpoints: ReadonlySet<string>;
}

/** Whom changes of a text are about. */
export interface Touched {
  /** Services that changed lines name, `namespace/name`. */
  readonly services: Set<string>;
  /** Chains of Services that changed and whose Service the lines need not name. */
  readonly chains: Set<string>;
  /** Elements without the name of a Service: `10.96.0.1`. */
  readonly elements: Set<string>;
  /** Where connections go that are new or gone: `10.96.0.10 53`. */
  readonly flows: Set<string>;
  /** Something else changed, in a few words. */
  other: string | undefined;
}

/** The part of a text that is about some Services or about none. */
export interface TextPart {
  readonly spans: readonly (Span | string)[];
  /** For each section 1 if it is of these Services. */
  readonly ofServices: Uint8Array;
  /** Chains of Services that it has. */
  readonly chains: ReadonlySet<string>;
}

/** How texts of one program are cut into parts. */
export interface TextForm {
  readonly find: FindSections;
  readonly touch: (
    before: SectionedText,
    after: SectionedText,
    changes: readonly TextChange[],
    touched: Touched,
  ) => void;
  readonly part: (text: SectionedText, places: ServicePlaces) => TextPart;
  /** Whether a section of a kind is of some Service. */
  readonly isOfService: (kind: number) => boolean;
}

/** The first text that is gone, has come or stands elsewhere; undefined: both lists are the same. */
export function firstChange(gone: readonly string[], come: readonly string[]): string | undefined {
  const changed = gone.findIndex((text, at) => text !== come[at]);
  return changed === -1 ? come[gone.length] : gone[changed];
}

/** Collects spans; adjacent ones become one. */
export function spanList() {
  const spans: (Span | string)[] = [];
  return {
    spans,
    add: (from: number, to: number) => {
      const last = spans.at(-1);
      if (typeof last === 'object' && last.to === from) spans[spans.length - 1] = { from: last.from, to };
      else if (to > from) spans.push({ from, to });
    },
    addText: (text: string) => {
      spans.push(text);
    },
  };
}
