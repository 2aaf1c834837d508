/** `10.0.0.1` of `10.0.0.1/32`, and the same for IPv6; a network of several addresses stays as it is. */
export function hostOfCidr(cidr: string): string {
  return cidr.replace(/\/(?:32|128)$/, '');
}
