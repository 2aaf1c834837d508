/** One way to run programs on a node. */
export interface NodeAccess {
  /** As messages name it: `Pod kube-system/kube-proxy-x7k2p`. */
  readonly name: string;
  /** Runs a shell there that reads its script from standard input. */
  readonly shell: readonly string[];
  /** Runs one program there, for places that have no shell. */
  readonly program?: (words: readonly string[]) => readonly string[];
  /** A k8snet there that asks the programs of its node itself, and prints what they showed: `printedRules.ts`. */
  readonly reader?: (what: 'rules' | 'everything') => readonly string[];
  /** What helps where nothing comes of it. */
  readonly hint: string;
  /** Takes away what was made to get there. */
  readonly close?: () => Promise<void>;
}
