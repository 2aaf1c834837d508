import type { YamlPackage } from './yamlPackage.ts';

/**
 * The offset of the first tab that stands where Kubernetes' YAML reader (go-yaml) takes only spaces, although YAML itself
 * allows it: before a comment or on an empty line, or behind "- ". Undefined: there is none.
 */
export function findBadTab(yaml: YamlPackage, source: string): number | undefined {
  if (!source.includes('\t')) return undefined;
  const state: State = { ...atStart, indents: [] };
  let isContent = false;
  for (const lexeme of new yaml.Lexer().lex(source)) {
    const type: string | null = isContent ? 'content' : yaml.CST.tokenType(lexeme);
    isContent = type === 'scalar';
    if (type === null || type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    const bad = step(state, type, lexeme);
    if (bad !== undefined) return bad;
    state.offset += lexeme.length;
  }
  return undefined;
}

interface State {
  offset: number;
  /** Where the line begins. */
  line: number;
  /** Nothing but blanks stood on the line so far. */
  isLineStart: boolean;
  /** Brackets that are open. */
  flow: number;
  /** A key could begin here: then go-yaml skips spaces only. */
  mayBeKey: boolean;
  /** Columns of the block collections that are open. */
  readonly indents: number[];
  /** Where the key began that a colon may follow. */
  key: number;
  /** The last token is a plain scalar, which may go on: the column that its further lines must reach. */
  plain: number | undefined;
  isBlockScalar: boolean;
}

const atStart: Omit<State, 'indents'> = {
  offset: 0,
  line: 0,
  isLineStart: true,
  flow: 0,
  mayBeKey: true,
  key: 0,
  plain: undefined,
  isBlockScalar: false,
};

/** Goes past one lexeme; gives the offset of a tab in it that is refused. */
function step(state: State, type: string, lexeme: string): number | undefined {
  switch (type) {
    case 'byte-order-mark':
      state.line += lexeme.length;
      return undefined;
    case 'space':
      return badTab(state, lexeme);
    case 'newline':
      startLine(state, state.offset + lexeme.length);
      return undefined;
    case 'comment':
      state.plain = undefined;
      return undefined;
    case 'comma':
      state.plain = undefined;
      return undefined;
    default:
      token(state, type, lexeme);
      return undefined;
  }
}

function badTab(state: State, blanks: string): number | undefined {
  const tab = blanks.indexOf('\t');
  if (tab === -1) return undefined;
  const column = state.offset + tab - state.line;
  const isBad =
    state.plain === undefined ? state.mayBeKey && state.flow === 0 : state.isLineStart && column < state.plain;
  return isBad ? state.offset + tab : undefined;
}

function startLine(state: State, line: number): void {
  state.line = line;
  state.isLineStart = true;
  state.mayBeKey ||= state.flow === 0;
}

function token(state: State, type: string, lexeme: string): void {
  const column = state.offset - state.line;
  const { indents } = state;
  if (state.flow === 0) {
    if (state.isLineStart) while ((indents.at(-1) ?? -1) > column) indents.pop();
    if (state.mayBeKey) state.key = column;
    const opens = type === 'map-value-ind' && !state.isLineStart ? state.key : column;
    if (collectionSigns.has(type) && (indents.at(-1) ?? -1) < opens) indents.push(opens);
  }
  const isComplexValue = type === 'map-value-ind' && state.isLineStart;
  state.mayBeKey = type === 'seq-item-ind' || type === 'explicit-key-ind' || isComplexValue;
  state.isLineStart = false;
  state.plain = type === 'content' && !state.isBlockScalar ? (indents.at(-1) ?? -1) + 1 : undefined;
  if (type === 'flow-map-start' || type === 'flow-seq-start') state.flow += 1;
  if (type === 'flow-map-end' || type === 'flow-seq-end') state.flow = Math.max(0, state.flow - 1);
  if (type === 'doc-start' || type === 'doc-end') indents.length = 0;
  const lastLine = lexeme.lastIndexOf('\n') + 1;
  if (lastLine > 0) state.line = state.offset + lastLine;
  if (type === 'content' && state.isBlockScalar) startLine(state, state.offset + lastLine);
  state.isBlockScalar = type === 'block-scalar-header' || (state.isBlockScalar && type !== 'content');
}

const collectionSigns: ReadonlySet<string> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);
