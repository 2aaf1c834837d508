import type { WalkRule } from '../../walk/input/walkInput.ts';

/** One meaning of a name, and where that is written. */
export interface WhoisFact {
  readonly kind:
    | 'chain'
    | 'entrance'
    | 'endpoint'
    | 'pod'
    | 'node'
    | 'host'
    | 'mark'
    | 'set'
    | 'probability'
    | 'guess'
    | 'closed'
    | 'hostPort'
    | 'healthCheck'
    | 'mention';
  readonly sentence: string;
  readonly service?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Where a rule is. */
export function placeOf(rule: WalkRule | undefined): Pick<WhoisFact, 'file' | 'line'> {
  return { ...(rule?.file !== undefined && { file: rule.file }), ...(rule?.line !== undefined && { line: rule.line }) };
}
