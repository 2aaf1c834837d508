/** One record of a zone, as text: names are absolute, with their final dot. */
export interface DnsRecord {
  readonly name: string;
  readonly ttl: number;
  readonly type: DnsType;
  readonly data: string;
}

export type DnsType = 'SOA' | 'NS' | 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'TXT' | 'PTR';

/** A zone with its records in the order in which they are printed, each once. */
export interface DnsZone {
  /** With its final dot. */
  readonly name: string;
  readonly records: readonly DnsRecord[];
}
