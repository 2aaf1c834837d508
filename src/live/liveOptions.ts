/** Which cluster is read, as whom: kubectl's own flags. */
export interface LiveOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
  /** Only objects of this namespace are read; undefined: those of all. */
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  /** Milliseconds for one request; undefined: no limit. */
  readonly requestTimeout?: number;
  /** Milliseconds for all that one node is asked; undefined: no limit. */
  readonly nodeTimeout?: number;
}

/** kubectl as it is called for each of its commands. */
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
