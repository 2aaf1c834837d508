import type { SocketProtocol } from '../../../src/lab/network/labNetwork.ts';
import { type ClusterShape, clusterHosts, clusterNodes, clusterPods } from './healthyCluster.ts';

/** A connection that somebody of the cluster makes. */
export interface HealthyPacket {
  /** Name of a machine. */
  readonly from: string;
  /** Its address of the family. */
  readonly source: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: SocketProtocol;
}

/** What is tried on each node: from Pods, from the node and from outside, to an address of each kind. */
export function healthyPackets(shape: ClusterShape): readonly HealthyPacket[] {
  const clients = [...clusterPods(shape), ...clusterNodes(shape), ...clusterHosts(shape)];
  return rows(shape).flatMap(([names, to, port, protocol = 'tcp']) =>
    names.split(' ').flatMap((from): readonly HealthyPacket[] => {
      const client = clients.find(({ name }) => name === from || name.endsWith(`/${from}`));
      if (client === undefined) throw new Error(`nobody is called ${from}`);
      const source = client.addresses.find((own) => own.includes(':') === to.includes(':'));
      return source === undefined ? [] : [{ from: client.name, source, to, port, protocol }];
    }),
  );
}

type Row = readonly [clients: string, to: string, port: number, protocol?: SocketProtocol];

function rows({ pods, services, hasIpv6, hasServiceLb }: ClusterShape): readonly Row[] {
  const ipv4: readonly Row[] = [
    ['client web-1 n1', `${services}.1.10`, 80],
    ['client', `${services}.1.20`, 443],
    ['client', `${services}.1.50`, 80],
    ['client n1', `${services}.1.60`, 80],
    ['client web-1', `${services}.1.80`, 5432],
    ['client n1', `${services}.0.10`, 53, 'udp'],
    ['client n1', `${services}.0.1`, 443],
    ['client far n1 customer', '192.168.10.1', 30443],
    ['n1', '127.0.0.1', 30443],
    ['client n1 customer', '192.168.10.1', 30080],
    ['client n1 customer', hasServiceLb ? '192.168.10.1' : '203.0.113.30', 80],
    ['client customer stranger', '203.0.113.31', 80],
    ['client customer', '203.0.113.40', 8088],
    ['client n1 far', `${pods}.1.11`, 8080],
    ['client far', `${pods}.1.15`, 5432],
    ['client n1', `${pods}.2.11`, 8080],
    ['client', '198.51.100.7', 80],
    ['customer', '192.168.10.1', 22],
  ];
  const ipv6: readonly Row[] = [
    ['client web-1 n1', 'fd00:96::1:10', 80],
    ['client', 'fd00:96::1:60', 80],
    ['client', 'fd00:96::1:80', 5432],
    ['client n1', 'fd00:96::10', 53, 'udp'],
    ['client customer', '2001:db8:10::1', 30443],
    ['client n1 customer', '2001:db8:113::30', 80],
    ['customer stranger', '2001:db8:113::31', 80],
    ['client n1', 'fd00:1::11', 8080],
    ['client n1', 'fd00:2::11', 8080],
    ['client', '2001:db8:7::7', 80],
  ];
  return [...ipv4, ...(hasIpv6 ? ipv6 : [])];
}
