/** The overall result of a trace, which its text and JSON give before the ways; `why` works it out. */
export interface TraceAnswer {
  readonly verdict: 'arrives' | 'fails' | 'unknown';
  /** The first cause in a sentence; undefined: nothing prevents the connection. */
  readonly headline: string | undefined;
  /** What answers instead of the apparent owner of the address. */
  readonly answeredBy?: string;
  /** The node has no rules of kube-proxy, so the ways below say nothing about them. */
  readonly isWithoutProxy: boolean;
}
