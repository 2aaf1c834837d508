/** Names that kube-proxy accepts for `ipvs.scheduler`. */
export const ipvsSchedulers = ['rr', 'wrr', 'lc', 'wlc', 'lblc', 'lblcr', 'sh', 'dh', 'sed', 'nq', 'mh', 'fo', 'ovf'];
