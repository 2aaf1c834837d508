/** Which cluster is read, and as which user: kubectl's own flags. */
export interface LiveOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
  /** Only objects in this namespace are read; undefined: all. */
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  /** Milliseconds for one request; undefined: no limit. */
  readonly requestTimeout?: number;
  /** Milliseconds for all commands on one node; undefined: no limit. */
  readonly nodeTimeout?: number;
}

/** The command line of kubectl up to its command. */
export function kubectlWords({
  context,
  kubeconfig,
  as,
  asGroup = [],
  requestTimeout,
}: LiveOptions): readonly string[] {
  return [
    'kubectl',
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(as === undefined ? [] : [`--as=${as}`]),
    ...asGroup.map((group) => `--as-group=${group}`),
    ...(requestTimeout === undefined ? [] : [`--request-timeout=${requestTimeout}ms`]),
  ];
}
