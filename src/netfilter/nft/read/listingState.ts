import type { LineProblem } from '../../lineProblem.ts';

/** A listing of nft, read line by line. */
export interface State {
  readonly lines: readonly string[];
  at: number;
  readonly problems: LineProblem[];
}

/** Lines that open a block, or tell whose it is. */
export const tableLine = /^table (\S+) (\S+) \{(?: # handle (\d+))?$/;
export const warningLine = /^# Warning: table \S+ \S+ is managed by iptables-nft, do not touch!$/;
export const blockLine = /^(set|map|chain) (\S+) \{(?: # handle (\d+))?$/;

/** The current line. */
export function trimmed(state: State): string {
  return (state.lines[state.at] ?? '').trim();
}

export function problem(state: State, message: string): void {
  state.problems.push({ line: state.at + 1, message });
}

/**
 * Whether the block that was just read has no closing brace: the text ends, or another block begins, which is then read
 * next. What such a block holds is not known.
 */
export function isLeftOpen(state: State): boolean {
  if (state.at >= state.lines.length) return true;
  const line = trimmed(state);
  if (!blockLine.test(line) && !tableLine.test(line)) return false;
  state.at -= 1;
  return true;
}

/** A closing brace, or a line that opens another block. */
export function endsBlock(line: string): boolean {
  const last = line.charCodeAt(line.length - 1);
  // Rules are asked, too, a hundred thousand of them: those that open a block end in a brace or in the number of a handle.
  if (last === closingBrace) return line === '}';
  if (last !== openingBrace && !(last >= zero && last <= nine)) return false;
  return blockLine.test(line) || tableLine.test(line);
}

const [openingBrace, closingBrace, zero, nine] = [0x7b, 0x7d, 0x30, 0x39];

/** Whether a rule's line opens the chain that stands inside it: `ip saddr 10.0.0.1 jump {`. */
export function opensBoundChain(line: string): boolean {
  return line.includes('{') && boundChain.test(line);
}

const boundChain = /\b(?:jump|goto) \{(?: # handle \d+)?$/;

/** `# handle 5` behind the line that opens a block. */
export function handleOf(opened: readonly (string | undefined)[]): { readonly handle?: number } {
  return opened[3] === undefined ? {} : { handle: Number(opened[3]) };
}
