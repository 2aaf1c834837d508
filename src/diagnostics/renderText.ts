import { pushAll } from '../common/pushAll.ts';
import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { shortMessage } from '../common/text/shortMessage.ts';
import { capDiagnostics } from './capDiagnostics.ts';
import type { Diagnostic, Origin } from './diagnostic.ts';
import { excerpt } from './excerpt.ts';
import type { Locate } from './place.ts';
import { printPath } from './printPath.ts';
import type { DiagnosticStyle } from './style.ts';

/**
 * Diagnostics for people: `file:line:col severity code: message`, the line in question (of errors and warnings), further
 * places and a hint, unless one with the same words was given before. Ends with a line end unless empty. Everything that
 * comes from an input is escaped.
 */
export function renderText(
  diagnostics: readonly Diagnostic[],
  locate: Locate,
  style: DiagnosticStyle,
  limit = 100,
): string {
  const { shown, omitted } = capDiagnostics(diagnostics, limit);
  const saidHints = new Set<string>();
  const lines: string[] = [];
  for (const { hint, ...diagnostic } of shown) {
    pushAll(lines, renderOne(diagnostic, locate, style));
    if (hint === undefined || saidHints.has(hint)) continue;
    saidHints.add(hint);
    lines.push(`  ${style.hint('hint:')} ${safe(hint)}`);
  }
  const more = (['error', 'warning', 'note'] as const)
    .filter((severity) => omitted[severity] > 0)
    .map((severity) => count(omitted[severity], severity));
  if (more.length > 0) lines.push(`and ${more.join(', ')} more`);
  return lines.map((line) => `${line}\n`).join('');
}

function renderOne(diagnostic: Omit<Diagnostic, 'hint'>, locate: Locate, style: DiagnosticStyle): string[] {
  const { code, severity, message, at } = diagnostic;
  const [main, ...others] = at;
  const place = main === undefined ? undefined : locate(main);
  const head = `${style.severity(severity, severity)} ${style.code(code)}: ${safe(message)}`;
  const lines = [main === undefined ? head : `${style.place(placeText(main, locate))} ${head}`];
  if (severity !== 'note' && place !== undefined && place.lineText.trim() !== '') {
    pushAll(lines, excerpt(place, diagnostic.path ?? place.pathText, severity, style));
  }
  for (const other of others.slice(0, mostPlaces)) lines.push(alsoHere(other, locate, style));
  if (others.length > mostPlaces) lines.push(`  and at ${count(others.length - mostPlaces, 'more place')}`);
  return lines;
}

/** Further places of one diagnostic that are printed. */
const mostPlaces = 5;

function alsoHere(origin: Origin, locate: Locate, style: DiagnosticStyle): string {
  const place = locate(origin);
  const what = place?.object ?? place?.pathText ?? '';
  return `${style.place(placeText(origin, locate))} also here${what === '' ? '' : `: ${safe(what)}`}`;
}

function placeText(origin: Origin, locate: Locate): string {
  const place = locate(origin);
  const file = escapeText(origin.file);
  if (place !== undefined) return `${file}:${place.line}:${place.column}`;
  // An object of a cluster has no lines.
  return origin.path.length === 0 ? file : `${file} ${escapeText(printPath(origin.path))}`;
}

function safe(text: string): string {
  return escapeText(shortMessage(text));
}
