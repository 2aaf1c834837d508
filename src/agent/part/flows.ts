import type { ServicePlaces } from './textParts.ts';

/**
 * Connections as `conntrack -L` lists them. They come and go all the time: what counts is which client a Service's
 * address sends where, and each such way counts once, however many connections take it.
 */
export interface Flow {
  /** `10.96.0.10 53`: the address that the client asked for. */
  readonly to: string;
  /** The same, the client, and the endpoint that answers. */
  readonly way: string;
  /** The packets were sent elsewhere. */
  readonly isTranslated: boolean;
}

/** Undefined: the line shows no connection. */
function flowIn(line: string): Flow | undefined {
  const [, client, address, port, from, replyPort] =
    /src=(\S+) dst=(\S+) sport=\d+ dport=(\d+).*?src=(\S+) dst=\S+ sport=(\d+)/.exec(line) ?? [];
  if (address === undefined) return undefined;
  const to = `${address} ${port}`;
  return { to, way: `${to} ${client} ${from} ${replyPort}`, isTranslated: address !== from || port !== replyPort };
}

/** What each way that was translated is to, by the way. */
export function flowsIn(text: string): ReadonlyMap<string, string> {
  const flows = new Map<string, string>();
  for (const line of text.split('\n')) {
    const flow = flowIn(line);
    if (flow?.isTranslated) flows.set(flow.way, flow.to);
  }
  return flows;
}

/** The lines of connections to some Services. */
export function flowsOf(text: string, places: ServicePlaces): string {
  const lines = text.split('\n').filter((line) => {
    const to = flowIn(line)?.to;
    return to !== undefined && isFlowTo(to, places);
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Whether `10.96.0.10 53` is an address of some Services, or one of their node ports. */
export function isFlowTo(
  to: string,
  { addresses, nodePorts }: Pick<ServicePlaces, 'addresses' | 'nodePorts'>,
): boolean {
  const [address = '', port = ''] = to.split(' ');
  return addresses.has(address) || nodePorts.has(port);
}
