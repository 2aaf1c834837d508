/** What a member of a set of addresses and ports says (`hash:ip,port`, and what stands behind that in longer types). */
export interface AddressAndPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: string;
}

/** Reads `10.96.0.10,tcp:80`; undefined: the member is of another type. */
export function addressAndPort(member: string): AddressAndPort | undefined {
  const [ip = '', second = ''] = member.split(',');
  const [protocol = '', port] = second.split(':');
  return port === undefined ? undefined : { ip, protocol, port };
}
