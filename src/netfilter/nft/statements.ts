import type { Step } from '../meaning.ts';
import type { NftSpelling, Statement } from './ast.ts';
import type { StatementSyntax } from './read/statementSyntax.ts';
import type { Tokens } from './read/tokenizer.ts';
import { assignStatement } from './statements/assign.ts';
import { counterStatement } from './statements/counter.ts';
import { foreignStatement } from './statements/foreign.ts';
import { limitStatement } from './statements/limit.ts';
import { logStatement } from './statements/log.ts';
import { matchStatement } from './statements/match.ts';
import { natStatement } from './statements/nat.ts';
import { notrackStatement } from './statements/notrack.ts';
import { rejectStatement } from './statements/reject.ts';
import { setUpdateStatement } from './statements/setUpdate.ts';
import { verdictStatement } from './statements/verdict.ts';
import { vmapStatement } from './statements/vmap.ts';

type Table = { readonly [K in Statement['kind']]: StatementSyntax<Extract<Statement, { kind: K }>> };

/** Every statement there is, in the order in which those without a first word of their own are tried. */
const statements: Table = {
  verdict: verdictStatement,
  counter: counterStatement,
  nat: natStatement,
  reject: rejectStatement,
  setUpdate: setUpdateStatement,
  limit: limitStatement,
  log: logStatement,
  notrack: notrackStatement,
  vmap: vmapStatement,
  assign: assignStatement,
  match: matchStatement,
  foreign: foreignStatement,
};

const all: readonly StatementSyntax<Statement>[] = Object.values(statements) as unknown as StatementSyntax<Statement>[];
const byFirstWord = new Map(all.flatMap((syntax) => (syntax.starts ?? []).map((start) => [start, syntax] as const)));
const byJsonName = new Map(all.flatMap((syntax) => syntax.jsonNames.map((name) => [name, syntax] as const)));
const withoutFirstWord = all.filter((syntax) => syntax.starts === undefined);

/** Reads the next statement; what is not understood becomes a foreign one. */
export function readStatement(words: Tokens): Statement {
  const start = words.at;
  const known = byFirstWord.get(words.words[start] ?? '');
  for (const syntax of known === undefined ? withoutFirstWord : [known, foreignStatement]) {
    const statement = syntax.read(words);
    if (statement !== undefined) {
      return statement;
    }
    words.at = start;
  }
  return { kind: 'foreign', text: '' };
}

export function writeStatement(statement: Statement, spelling: NftSpelling): string {
  return (statements[statement.kind] as unknown as StatementSyntax<Statement>).write(statement, spelling);
}

export function evaluateStatement(statement: Statement, family: string): readonly Step[] {
  return (statements[statement.kind] as unknown as StatementSyntax<Statement>).evaluate(statement, family);
}

export function statementFromJson(name: string, body: unknown): Statement {
  return (
    byJsonName.get(name)?.fromJson(body, name) ??
    foreignStatement.fromJson(body, name) ?? { kind: 'foreign', text: name }
  );
}
