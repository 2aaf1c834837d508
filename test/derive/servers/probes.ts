/** What the worker does in its namespace: gives it addresses, starts servers and the program, asks, and tells. */
export interface Job {
  readonly servers: readonly Server[];
  /** Further addresses of the loopback device. */
  readonly addresses: readonly string[];
  /** Started, and killed at the end. */
  readonly program: readonly string[];
  /** It is up when this can be connected to. */
  readonly listensOn: { readonly ip: string; readonly port: number } | undefined;
  readonly probes: readonly Probe[];
}

/**
 * Every server answers with its own `ip:port`; `line` ones add the first word that they are sent, and a
 * `dns` one knows one address, `answer`, for every name.
 */
export interface Server {
  readonly kind: 'http' | 'tcp' | 'line' | 'udp' | 'dns';
  readonly ip: string;
  readonly port: number;
  readonly status?: number;
  readonly answer?: string;
}

export type Probe = HttpProbe | SocketProbe;

export interface HttpProbe {
  readonly kind: 'http' | 'https';
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly times: number;
  /** Further headers; with any, the answer holds what the server was sent. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SocketProbe {
  readonly kind: 'tcp' | 'udp';
  readonly ip: string;
  readonly port: number;
  readonly times: number;
  /** Asked again, for some seconds, until exactly these have answered. */
  readonly until: readonly string[] | 'one';
  /** Its own address. */
  readonly from?: string;
}

export function isHttpProbe(probe: Probe): probe is HttpProbe {
  return probe.kind === 'http' || probe.kind === 'https';
}

export interface HttpOutcome {
  readonly statuses: readonly string[];
  readonly bodies: readonly string[];
  readonly location: string | undefined;
}

/** `statuses` for requests; `answers` for connections and datagrams, an empty text for none. */
export type Outcome = HttpOutcome | { readonly answers: readonly string[] };
