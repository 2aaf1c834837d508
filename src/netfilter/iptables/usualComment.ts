/** A regular expression's source: a comment as kube-proxy writes it, without anything escaped, or none. */
export const usualComment = /(?: -m comment --comment (?:"[^"'\\\0-\x1f]+"|[\w-]+))?/.source;
