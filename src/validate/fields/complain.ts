import type { Origin } from '../../diagnostics/diagnostic.ts';
import type { ObjectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';

/** Takes what is wrong with an object; an error keeps the object out of the result. */
export type Complain = (subject: { readonly origin: Origin }, problem: ObjectDiagnostic) => void;
