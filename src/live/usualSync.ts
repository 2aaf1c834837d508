/**
 * How many milliseconds kube-proxy needs to write a change: it gathers changes for a second, and a sync takes its time.
 */
export const usualSync = 2500;
