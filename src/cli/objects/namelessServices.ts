/** What helps where neither rules, as those of IPVS mode, nor objects name Services. */
export const namelessServices = 'nothing here names Services: give the objects of the cluster with -f';
