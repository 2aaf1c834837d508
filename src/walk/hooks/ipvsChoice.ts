import type { WalkServer, WalkVirtualService } from '../input/walkInput.ts';

/** Servers that a new connection may go to, each with its share. */
export interface IpvsChoice {
  readonly servers: readonly { readonly server: WalkServer; readonly share: number }[];
  /** What decides invisibly; the shares are equal in that case. */
  readonly unseen: string | undefined;
}

/**
 * How the scheduler of a virtual service chooses among its servers (net/netfilter/ipvs of Linux 6.1): in turn, by
 * weight, only the heaviest, or by something that a listing does not show. Servers of weight 0 get no new connections.
 */
export function ipvsChoice({ scheduler, servers }: WalkVirtualService): IpvsChoice {
  const open = servers.filter(({ weight }) => weight > 0);
  if (scheduler === 'wrr')
    return { servers: open.map((server) => ({ server, share: server.weight })), unseen: undefined };
  const isHeaviest = scheduler === 'fo';
  const most = Math.max(...open.map(({ weight }) => weight));
  const chosen = isHeaviest ? open.filter(({ weight }) => weight === most) : open;
  const unseen =
    chosen.length === 1 || scheduler === 'rr'
      ? undefined
      : (decisions[scheduler] ?? 'connections that the servers have decide, and these are not known');
  return { servers: chosen.map((server) => ({ server, share: 1 })), unseen };
}

const byOrder = 'which one depends on the order in which servers were added, and no listing shows that';
const byClient = `the client's address decides, so all connections of one client go to one server; ${byOrder}`;

const decisions: Readonly<Record<string, string>> = {
  sh: byClient,
  mh: byClient,
  dh: `the address asked for decides, so all connections go to one server; ${byOrder}`,
  fo: `one of the servers with the highest weight gets all connections; ${byOrder}`,
  ovf: 'the server with the highest weight is chosen until it has as many connections as its weight, and these are not known',
};
