import type { Origin } from '../diagnostics/diagnostic.ts';
import type { AidCause } from './aidCause.ts';
import type { SaidOf } from './likewise.ts';

/** What is known of one Service: is it in order, and if not, why; every form of the page is made from this alone. */
export interface ServiceCheck {
  /** `namespace/name`. */
  readonly service: string;
  /** The name or number that was asked for; undefined: all ports. */
  readonly port: string | undefined;
  /** `unknown`: nothing could be judged, or what was found may be harmless. */
  readonly verdict: 'in-order' | 'broken' | 'unknown';
  /** In the order in which they have to be fixed. */
  readonly causes: readonly AidCause[];
  /** What is worth knowing and breaks nothing. */
  readonly remarks: readonly AidRemark[];
  readonly looked: readonly AidLook[];
  readonly notLooked: readonly AidGap[];
}

export interface AidRemark {
  readonly text: string;
  readonly code?: string;
  readonly origin?: Origin;
  readonly of?: SaidOf;
}

/** Something that was looked at, and what was seen of it. */
export interface AidLook {
  /** `objects`, `node n1`. */
  readonly what: string;
  readonly seen: readonly string[];
  readonly of?: SaidOf;
}

/** Something that was not looked at: it is not taken for being in order. */
export interface AidGap {
  readonly what: string;
  /** How to have it looked at. */
  readonly how: string;
  readonly of?: SaidOf;
}

/** What a part of the check adds to the page. */
export interface AidPart {
  readonly causes: readonly AidCause[];
  readonly remarks: readonly AidRemark[];
  readonly looked: readonly AidLook[];
  readonly notLooked: readonly AidGap[];
  /** What was given of a node shows nothing of what decides there. */
  readonly isUnseen?: true;
}
