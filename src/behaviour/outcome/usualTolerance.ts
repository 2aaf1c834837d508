/** Shares that differ by no more are the same: kube-proxy before 1.18 printed probabilities with five digits. */
export const usualTolerance = 1e-4;
