/** The parts of k8snet.trace/v1 that the page shows. */
export interface Trace {
  readonly packet: Header & { readonly proto: string; readonly in: string | null };
  readonly outcomes: readonly TraceOutcome[];
}

export interface TraceOutcome {
  readonly probability: { readonly num: number; readonly den: number; readonly approx: number } | null;
  readonly first: TraceWalk;
  readonly later: TraceWalk | null;
  readonly reply: TraceWalk | null;
  readonly dnat: string | null;
  readonly snat: string | null;
  readonly endpoint: { readonly service?: string | null; readonly pod?: string | null } | null;
}

interface TraceWalk {
  readonly path: readonly TraceEvent[];
  readonly result: Partial<Header> & {
    readonly verdict: string;
    readonly out?: string | null;
    readonly why?: string;
    readonly reject?: string;
  };
}

export interface TraceEvent {
  readonly hook: string;
  readonly table: string;
  readonly chain: string;
  readonly rule: number | null;
  readonly verdict: string;
  readonly target?: string;
  readonly policy?: string;
  readonly text?: string;
  readonly file?: string;
  readonly line?: number;
  readonly action?: string;
  readonly mark?: string;
}

interface Header {
  readonly src: string | null;
  readonly sport?: number | null;
  readonly dst: string | null;
  readonly dport?: number | null;
}

/** One step of a way: what the packet meets, and what it is then. */
export interface TraceStep {
  readonly part: 'first' | 'later' | 'reply';
  /** Undefined: the end of the part. */
  readonly event: TraceEvent | undefined;
  readonly what: string;
  /** `203.0.113.1 → 10.96.0.10:80`; empty: the trace does not say what it is in between. */
  readonly packet: string;
  readonly mark: string;
}

export const partTitles: Readonly<Record<TraceStep['part'], string>> = {
  first: 'first packet',
  later: 'next packets',
  reply: 'answer',
};

/** All steps of one way, in the order in which a packet, the next ones and the answer take them. */
export function traceSteps({ packet }: Trace, outcome: TraceOutcome): readonly TraceStep[] {
  return (['first', 'later', 'reply'] as const).flatMap((part) => {
    const walk = outcome[part];
    if (walk === null) return [];
    let source = end(packet.src, packet.sport);
    let destination = end(packet.dst, packet.dport);
    const steps = walk.path.map((event): TraceStep => {
      // The other packets of a connection are translated without a rule.
      if (part === 'first' && changes(event, /^(?:dnat|redirect)/)) destination = outcome.dnat ?? destination;
      if (part === 'first' && changes(event, /^(?:snat|masquerade)/)) source = outcome.snat ?? source;
      const is = part === 'first' ? `${source} → ${destination}` : '';
      return { part, event, what: whatOf(event), packet: is, mark: event.mark ?? '' };
    });
    return [...steps, lastStep(part, walk)];
  });
}

function changes({ action, table, verdict }: TraceEvent, kind: RegExp): boolean {
  return kind.test(action ?? '') || (table === 'ipvs' && verdict !== 'continue' && kind.test('dnat'));
}

function whatOf({ verdict, target, policy, action }: TraceEvent): string {
  const goes = target === undefined ? verdict : `${verdict} ${target}`;
  return [verdict === 'policy' ? `policy ${policy}` : goes, ...(action === undefined ? [] : [action])].join(', ');
}

function lastStep(part: TraceStep['part'], { result }: TraceWalk): TraceStep {
  const { verdict, out, why, reject, src, sport, dst, dport } = result;
  const how = [out && `by ${out}`, why, reject].filter(Boolean).join(', ');
  const packet = src === undefined ? '' : `${end(src, sport)} → ${end(dst ?? null, dport)}`;
  return { part, event: undefined, what: how === '' ? verdict : `${verdict} ${how}`, packet, mark: '' };
}

function end(address: string | null, port: number | null | undefined): string {
  const shown = address ?? 'several addresses';
  if (port === null || port === undefined) return shown;
  return shown.includes(':') ? `[${shown}]:${port}` : `${shown}:${port}`;
}

/** `1/2 to shop/web-1`, or what becomes of it. */
export function outcomeTitle({ probability, endpoint, dnat, first }: TraceOutcome): string {
  const share = probability === null ? 'if it comes to that' : shareText(probability);
  const whom = endpoint?.pod ?? dnat;
  return `${share}: ${whom ? `to ${whom}, ` : ''}${first.result.verdict}`;
}

function shareText({
  num,
  den,
  approx,
}: {
  readonly num: number;
  readonly den: number;
  readonly approx: number;
}): string {
  if (num === den) return 'always';
  return den <= 1000 ? `${num}/${den}` : `${(approx * 100).toFixed(2)} %`;
}
