/** Says whose endpoints a slice holds. */
export const serviceNameLabel = 'kubernetes.io/service-name';
