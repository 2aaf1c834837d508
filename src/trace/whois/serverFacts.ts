import { firstFew } from '../../common/text/firstFew.ts';
import type { WalkInput, WalkServer } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import { protocolName } from '../question/protocolName.ts';
import type { End } from './readEnd.ts';
import type { WhoisFact } from './whoisFact.ts';

/** IPVS mode: an address as that of real servers, one fact for each port. */
export function serverFacts({ address, port }: End, { ipvs }: WalkInput): readonly WhoisFact[] {
  const isAsked = (server: WalkServer) => server.address === address && (port === undefined || server.port === port);
  const virtual = new Map<string, string[]>();
  for (const service of ipvs) {
    for (const server of service.servers.filter(isAsked)) {
      const end = endText(server.address, server.port);
      const weight = server.weight === 0 ? ' with weight 0' : '';
      const text = `${endText(service.address, service.port)}/${protocolName(service.protocol)}${weight}`;
      virtual.set(end, [...(virtual.get(end) ?? []), text]);
    }
  }
  return [...virtual].map(([end, services]) => ({
    kind: 'endpoint',
    sentence: `${end} is a real server of ${firstFew(services, 10)}`,
  }));
}
