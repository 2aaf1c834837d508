/** What becomes of a Service that a label leaves to another proxy than kube-proxy. */
export const leftToOther = 'kube-proxy has no rules for it, and only that proxy knows what becomes of its connections';

/** What a look at nodes shows of it. */
export const leftOnNodes = 'a Service that is left to another proxy has no rules there';
