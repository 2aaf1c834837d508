/** Whether a transport protocol has ports: TCP, UDP and SCTP. */
export function hasPorts(protocol: number): boolean {
  return protocol === 6 || protocol === 17 || protocol === 132;
}
