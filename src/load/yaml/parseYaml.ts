import type { Document, ParsedNode } from 'yaml';
import { pushAll } from '../../common/pushAll.ts';
import { findBadTab } from './findBadTab.ts';
import type { DocumentRange } from './splitDocuments.ts';
import type { YamlPackage } from './yamlPackage.ts';

/** The syntax tree of one document; offsets in it count from the start of the document's range. */
export interface ParsedYaml {
  readonly contents: ParsedNode | null;
  /** The first place where the text is not YAML; what follows it is mostly guesswork. */
  readonly problem?: SyntaxProblem;
}

export interface SyntaxProblem {
  readonly code: 'yaml-syntax' | 'nested-too-deeply' | 'input-too-big';
  readonly message: string;
  /** From the start of the document's range. */
  readonly offset: number;
  /** Where the text ends, if something is open there. */
  readonly end?: number;
}

/** Levels of mappings and sequences; the deepest Kubernetes objects (schemas in CRDs) have about forty. */
export const deepestNesting = 100;

/** The API server takes no request of more than 3 MiB; unquoting longer texts costs seconds and a gigabyte. */
const longestScalar = 3 << 20;

/**
 * Parses one document. Scalars stay text whatever they look like, and tags are only noted: what they mean to
 * Kubernetes is decided by `yamlToJson`. Stops at the first line that is nested too deeply, before anything recurses.
 */
export function parseYaml(yaml: YamlPackage, text: string, range: DocumentRange): ParsedYaml {
  const source = text.slice(range.start, range.end);
  const lexer = new yaml.Lexer();
  const parser = new yaml.Parser();
  const composer = new yaml.Composer({ version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  const documents: Document.Parsed[] = [];
  const opened: Opened = { brackets: [], quote: 0 };
  for (const lexeme of lexer.lex(source)) {
    if (lexeme.length > longestScalar) {
      const message = `a text of ${lexeme.length} characters; a whole object has at most ${longestScalar}`;
      return { contents: null, problem: { code: 'input-too-big', message, offset: parser.offset } };
    }
    noteOpened(opened, lexeme, parser.offset);
    for (const token of parser.next(lexeme)) pushAll(documents, composer.next(token) as Iterable<Document.Parsed>);
    if (parser.stack.length > deepestNesting + 2) {
      return { contents: null, problem: { code: 'nested-too-deeply', message: tooDeep, offset: parser.offset } };
    }
  }
  for (const token of parser.end()) pushAll(documents, composer.next(token) as Iterable<Document.Parsed>);
  pushAll(documents, composer.end(true, source.length) as Iterable<Document.Parsed>);

  const contents = (documents[0]?.contents ?? null) as ParsedNode | null;
  const error = documents.flatMap((document) => document.errors).sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (error !== undefined) return { contents, problem: syntaxProblem(error, opened, source) };
  const tab = findBadTab(yaml, source);
  return tab === undefined
    ? { contents }
    : { contents, problem: { code: 'yaml-syntax', message: badTab, offset: tab } };
}

const badTab = "a tab stands where Kubernetes' YAML reader allows only spaces";

export const tooDeep = `nested more than ${deepestNesting} levels deep`;

/** What was opened and not closed, so that an error can point there instead of at the end of the file. */
interface Opened {
  readonly brackets: { readonly bracket: string; readonly offset: number }[];
  /** The start of the last quoted scalar. */
  quote: number;
}

function noteOpened(opened: Opened, lexeme: string, offset: number): void {
  const first = lexeme[0];
  if (first === '"' || first === "'") opened.quote = offset;
  else if (lexeme === '{' || lexeme === '[') opened.brackets.push({ bracket: lexeme, offset });
  else if (lexeme === '}' || lexeme === ']') opened.brackets.pop();
}

interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

function syntaxProblem(error: YamlError, opened: Opened, source: string): SyntaxProblem {
  const bracket = opened.brackets.at(-1);
  const end = Math.max(source.trimEnd().length - 1, 0);
  if (bracket !== undefined && error.message.includes('end with a')) {
    const what = bracket.bracket === '{' ? 'flow mapping' : 'flow sequence';
    return { code: 'yaml-syntax', message: `this ${what} is not closed`, offset: bracket.offset, end };
  }
  if (error.message.startsWith('Missing closing')) {
    return { code: 'yaml-syntax', message: 'this quoted text is not closed', offset: opened.quote, end };
  }
  const message = ownWords[error.code] ?? plainer(error.message);
  let offset = Math.min(error.pos[0], end);
  while (source[offset] === ' ') offset += 1;
  return { code: 'yaml-syntax', message, offset };
}

const ownWords: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation: YAML allows only spaces there',
  BLOCK_AS_IMPLICIT_KEY: 'a mapping cannot start here: indentation is wrong, or a text with ": " in it needs quotes',
  RESOURCE_EXHAUSTION: tooDeep,
};

/** The parser's words, or ours where its own are about tokens. */
function plainer(message: string): string {
  for (const [words, plain] of tokenTalk) if (words.test(message)) return plain;
  return message.charAt(0).toLowerCase() + message.slice(1);
}

const tokenTalk: readonly (readonly [RegExp, string])[] = [
  [/^Unexpected flow-(?:seq|map)-end/, 'this bracket closes nothing'],
  [/^Unexpected block-seq-ind on same line/, 'a sequence cannot start on the line of its key'],
  [/^Unexpected \S*(?:scalar|collection|alias|map|seq) at node end/, 'something follows the end of a value'],
  [/^Implicit keys need to be on a single line/, 'expected "key: value": a colon is missing, or a text needs quotes'],
  [/^Implicit map keys need to be followed by map values/, 'expected "key: value": a colon is missing'],
  [
    /^All (?:mapping|sequence) items must start at the same column/,
    'this is not indented like the lines that it belongs to',
  ],
];
