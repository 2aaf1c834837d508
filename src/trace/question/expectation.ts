import type { Value } from '../../common/ranges/valueRange.ts';
import { onlyValue } from '../../common/ranges/valueSet.ts';
import { addressPattern } from '../../netfilter/addressRanges.ts';
import { rejectionText } from '../../walk/hooks/rejectionText.ts';
import { arrives, isAnswered, type TracedOutcome } from '../traceResult.ts';

/** What `--expect` requires of every outcome; the text is the original one. */
export interface Expectation {
  readonly text: string;
  readonly holds: (outcome: TracedOutcome) => boolean;
}

/**
 * Reads `arrives`, `answered`, `leaves`, `delivered`, `dropped`, `rejected`, `unroutable`, `to=10.244.0.0/16,10.0.0.1:80`,
 * `source=192.168.0.1`, `out=eth0`, `reject=tcp-reset`, each with `!` in front for the opposite; undefined: none of these.
 */
export function readExpectation(text: string): Expectation | undefined {
  const isOpposite = text.startsWith('!');
  const [name = '', value] = splitOnce(isOpposite ? text.slice(1) : text);
  const holds = value === undefined ? plain(name) : valued(name, value);
  return holds && { text, holds: isOpposite ? (outcome) => !holds(outcome) : holds };
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const equals = text.indexOf('=');
  return equals === -1 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
}

function plain(name: string): Expectation['holds'] | undefined {
  switch (name) {
    case 'arrives':
      return ({ first }) => arrives(first.end);
    case 'answered':
      return (outcome) => arrives(outcome.first.end) && isAnswered(outcome);
    case 'leaves':
    case 'delivered':
    case 'dropped':
    case 'rejected':
    case 'unroutable':
      return ({ first }) => first.end.kind === name;
    default:
      return undefined;
  }
}

function valued(name: string, value: string): Expectation['holds'] | undefined {
  switch (name) {
    case 'to':
    case 'source': {
      const wanted = value.split(',').map(endPattern);
      if (wanted.some((one) => one === undefined)) return undefined;
      return ({ first: { flow, end } }) => {
        const { packet } = flow;
        const address = onlyValue(name === 'to' ? packet.destination : packet.source);
        const ports = name === 'to' ? packet.destinationPort : packet.sourcePort;
        return arrives(end) && wanted.some((one) => one?.(address, ports && onlyValue(ports)));
      };
    }
    case 'out':
      return ({ first: { flow, end } }) => end.kind === 'leaves' && value.split(',').includes(flow.outInterface ?? '');
    case 'reject':
      return ({ first: { flow, end } }) => end.kind === 'rejected' && rejectionText(end.rejection, flow) === value;
    default:
      return undefined;
  }
}

/** `10.0.0.0/8`, `10.0.0.1:80`, `[fd00::1]:80`. */
function endPattern(text: string): ((address: Value | undefined, port: Value | undefined) => boolean) | undefined {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  const plainEnd = /^(\d[\d./]*)(?::(\d+))?$/.exec(text);
  const [, address = text, port] = bracketed ?? plainEnd ?? [];
  const range = addressPattern(address)?.range;
  if (range === undefined) return undefined;
  return (value, own) =>
    value !== undefined &&
    typeof value === typeof range.first &&
    range.first <= value &&
    value <= range.last &&
    (port === undefined || own === Number(port));
}
