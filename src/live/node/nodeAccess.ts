/** One way to run programs on a node. */
export interface NodeAccess {
  /** Its name in messages: `Pod kube-system/kube-proxy-x7k2p`. */
  readonly name: string;
  /** Runs a shell there that reads its script from standard input. */
  readonly shell: readonly string[];
  /** Runs one program there, for places without a shell. */
  readonly program?: (words: readonly string[]) => readonly string[];
  /** A k8snet there that runs the programs of its node itself, and prints their output: `printedRules.ts`. */
  readonly reader?: (what: 'rules' | 'everything') => readonly string[];
  /** What helps if it fails. */
  readonly hint: string;
  /** Removes what was made to get there. */
  readonly close?: () => Promise<void>;
}
