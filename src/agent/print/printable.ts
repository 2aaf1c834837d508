/** What `k8snet agent --print` prints: `rules` is what commands read from a node, `everything` what `collect` takes. */
export const printable = ['report', 'rules', 'everything'] as const;
