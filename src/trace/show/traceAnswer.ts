/** What a trace comes to in all, as its text and JSON say it before the ways; `why` works it out. */
export interface TraceAnswer {
  readonly verdict: 'arrives' | 'fails' | 'unknown';
  /** The first cause in a sentence; undefined: nothing stands in the way. */
  readonly headline: string | undefined;
  /** Who answers in place of what the address reads as. */
  readonly answeredBy?: string;
  /** The node has no rules of kube-proxy, of which the ways below say nothing. */
  readonly isWithoutProxy: boolean;
}
