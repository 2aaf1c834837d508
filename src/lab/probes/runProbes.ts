import type { SocketProtocol } from '../network/labNetwork.ts';
import { type Lab, machine } from '../openLab.ts';

/** Packets to send: from one machine of the lab to an address. */
export interface Probe {
  /** Name of a machine. */
  readonly from: string;
  readonly to: string;
  /** Of no account for ICMP. */
  readonly port: number;
  /** `icmp`: an echo request, which every host answers by the name `echo`. Default TCP. */
  readonly protocol?: SocketProtocol | 'icmp';
  /** New connections, one after another without waiting; default 1. */
  readonly count?: number;
  /**
   * How long to wait for an answer. Give much if you expect one (it costs nothing when the answer comes), and little if
   * you do not.
   */
  readonly timeoutMs?: number;
  /** Default: what routing chooses. */
  readonly sourceAddress?: string;
  /** Default: another each time. */
  readonly sourcePort?: number;
  /** Connections stay open until `releaseProbes`, so that schedulers see them. */
  readonly isHeld?: boolean;
}

/** What became of one connection, seen from its client. `sawSource` is the address that the server saw. */
export type ProbeOutcome =
  | { readonly kind: 'answered'; readonly by: string; readonly sawSource: string; readonly sawPort: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unreachable' };

/** Sends all probes at once; for each, in the order given, what became of its connections. */
export function runProbes(lab: Lab, probes: readonly Probe[]): Promise<readonly (readonly ProbeOutcome[])[]> {
  return Promise.all(
    probes.map((probe) => Promise.all(Array.from({ length: probe.count ?? 1 }, () => runOne(lab, probe)))),
  );
}

async function runOne(lab: Lab, probe: Probe): Promise<ProbeOutcome> {
  const { protocol = 'tcp', sourceAddress = '-', sourcePort = '-', to, port, timeoutMs = 1000, isHeld = false } = probe;
  const answer = await machine(lab, probe.from).ask(
    'probe',
    protocol,
    sourceAddress,
    sourcePort,
    to,
    port,
    timeoutMs,
    isHeld ? 1 : 0,
  );
  const [kind, by = '', sawSource = '', sawPort] = answer;
  switch (kind) {
    case 'answered':
      return { kind, by, sawSource, sawPort: Number(sawPort) };
    case 'refused':
    case 'timeout':
    case 'unreachable':
      return { kind };
    default:
      throw new Error(`probe of ${protocol} ${to} ${port} from ${probe.from}: ${answer.join(' ')}`);
  }
}
