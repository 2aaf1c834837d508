import { escapeText } from '../common/text/escapeText.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Locate } from '../diagnostics/place.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import type { AidCause } from './aidCause.ts';
import { type Likewise, likewise, likewiseText } from './likewise.ts';
import type { AidGap, AidLook, AidRemark, ServiceCheck } from './serviceCheck.ts';

/** The page: the answer, what to fix first, what else was found, what was checked and what was not. */
export function serviceCheckText(check: ServiceCheck, locate: Locate): string {
  const [first, ...more] = likewise(check.causes);
  const remarks = likewise(check.remarks);
  const lines = [
    answerOf(check),
    ...(first === undefined ? [] : causeLines(first, locate, '')),
    ...more.slice(0, mostCauses).flatMap((cause) => ['', ...causeLines(cause, locate, 'then: ')]),
    ...(more.length > mostCauses ? ['', `… and ${more.length - mostCauses} more causes: -o json has them`] : []),
    ...section('worth knowing', [
      ...remarks.slice(0, mostRemarks).map((each) => remarkText(each, locate)),
      ...(remarks.length > mostRemarks ? [`… and ${remarks.length - mostRemarks} more: -o json has them`] : []),
    ]),
    ...section('looked at', likewise(check.looked, areFew).flatMap(lookLines)),
    ...section('not looked at', likewise(check.notLooked).flatMap(gapLines)),
  ];
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

const mostCauses = 5;
const mostRemarks = 8;

/** Each of some nodes is shown with its own senders. */
function areFew(alike: readonly AidLook[]): boolean {
  return alike.length <= 3;
}

function answerOf({ service, port, verdict, causes, notLooked }: ServiceCheck): string {
  const name = port === undefined ? service : `${service}:${port}`;
  if (verdict === 'broken') return `${name} is broken.`;
  if (verdict === 'in-order')
    return `${name} is in order${notLooked.length === 0 ? '' : ', as far as it was looked at'}.`;
  return causes.length === 0 ? `Whether ${name} is in order is unknown.` : `${name} may be broken.`;
}

function causeLines({ one, others }: Likewise<AidCause>, locate: Locate, head: string): readonly string[] {
  const { what, why, evidence, fix, nodes, detail: code } = one;
  const also = likewiseText(others);
  const where = nodes.length === 0 ? '' : `on ${nodes.length === 1 ? 'node' : 'nodes'} ${firstFew(nodes, 4)}: `;
  return [
    `${head}${where}${what}`,
    ...(also === undefined ? [] : [`  ${also}`]),
    ...(why === undefined ? [] : [`  why: ${why}`]),
    ...evidence.map((each) => `  ${evidenceText(each, locate)}`),
    `  → ${fix}`,
    ...(code === undefined ? [] : [`  k8snet explain ${code}`]),
  ];
}

function evidenceText(evidence: Evidence, locate: Locate): string {
  switch (evidence.kind) {
    case 'fact':
      return evidence.text;
    case 'object':
      return placed(placeText(evidence.origin, locate), evidence.text);
    case 'rule': {
      const { text, file, line } = evidence;
      const place = [file ?? [], line ?? []].flat().join(':');
      return [place, text].filter((part) => part !== '').join(': ');
    }
  }
}

function placeText(origin: Origin, locate: Locate): string {
  const place = locate(origin);
  return place === undefined ? origin.file : `${origin.file}:${place.line}:${place.column}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function remarkText({ one: { text, code, origin }, others }: Likewise<AidRemark>, locate: Locate): string {
  const said = `${code === undefined ? '' : `${code}: `}${withOthers(text, others)}`;
  return origin === undefined ? said : placed(placeText(origin, locate), said);
}

function withOthers(text: string, others: readonly string[]): string {
  const also = likewiseText(others);
  return also === undefined ? text : `${text} (${also})`;
}

/** Where an object of a cluster is names it already: "cluster prod: Service shop/web". */
function placed(place: string, text: string): string {
  const start = place.lastIndexOf(': ') + 2;
  const isNamed = start > 1 && text.startsWith(place.slice(start));
  return isNamed ? place.slice(0, start) + text : `${place}: ${text}`;
}

function lookLines({ one: { what, seen }, others }: Likewise<AidLook>): readonly string[] {
  const width = what.length + 2;
  return [...seen, likewiseText(others) ?? []]
    .flat()
    .map((text, at) => `${(at === 0 ? what : '').padEnd(width)}${text}`);
}

function gapLines({ one: { what, how }, others }: Likewise<AidGap>): readonly string[] {
  const said = withOthers(what, others);
  return how === '' ? [said] : [said, `  → ${how}`];
}
