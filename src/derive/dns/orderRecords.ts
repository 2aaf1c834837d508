import { compareIps, parseIp } from '../../common/addresses/ip.ts';
import type { DnsRecord, DnsType } from './dnsRecord.ts';

/** Sorts records by owner (bytes), type and data, and drops doubles. Addresses and ports count by number. */
export function orderRecords(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const sorted = [...records].sort(compareRecords);
  return sorted.filter((record, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined || before.name !== record.name || before.type !== record.type || before.data !== record.data
    );
  });
}

const typeOrder: readonly DnsType[] = ['SOA', 'NS', 'A', 'AAAA', 'CNAME', 'SRV', 'TXT', 'PTR'];

/** Names are ASCII: their order as text is that of their bytes. */
function compareRecords(a: DnsRecord, b: DnsRecord): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.type !== b.type) return typeOrder.indexOf(a.type) - typeOrder.indexOf(b.type);
  return compareData(a, b);
}

function compareData(a: DnsRecord, b: DnsRecord): number {
  if (a.type === 'A' || a.type === 'AAAA') {
    const [left, right] = [parseIp(a.data), parseIp(b.data)];
    if (left !== undefined && right !== undefined) return compareIps(left, right);
  }
  if (a.type === 'SRV') {
    const [left, right] = [srvOrder(a.data), srvOrder(b.data)];
    if (left.port !== right.port) return left.port - right.port;
    if (left.target !== right.target) return left.target < right.target ? -1 : 1;
  }
  return a.data < b.data ? -1 : a.data > b.data ? 1 : 0;
}

function srvOrder(data: string): { readonly port: number; readonly target: string } {
  const [, , port = '', target = ''] = data.split(' ');
  return { port: Number(port), target };
}
