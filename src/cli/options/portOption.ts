import { InvalidArgumentError, Option } from 'commander';
import { type PortSpec, parsePortSpec } from '../../policy/portSpec.ts';

export function portOption(): Option {
  return new Option('--port <port>', 'port and protocol: 80, 53/udp, http/tcp, icmp').argParser((text): PortSpec => {
    const port = parsePortSpec(text);
    if (port === undefined) throw new InvalidArgumentError('A port looks like 80, 53/udp, http/tcp or icmp.');
    return port;
  });
}
