/** In bytes: no object of Kubernetes is longer. */
export const longestItem = 1 << 26;
