import type { FlowCheck } from '../testPolicy.ts';

/**
 * Commands that cut connections which were opened before a policy came to deny them: rules ask about new connections
 * only. They name the reply's source, which is the real receiver also where a Service was dialled.
 */
export function conntrackHints(checks: readonly FlowCheck[]): readonly string[] {
  const commands = checks
    .filter(
      ({ isAllowed, isUnknown, end, from, to }) =>
        !isAllowed && !isUnknown && end === undefined && from.ip !== '' && to.ip !== '',
    )
    .map(({ family, from, to, flow }) => {
      const isIpv6 = family === 'ipv6';
      const icmp = isIpv6 ? 'ipv6-icmp' : 'icmp';
      const protocol =
        flow === undefined || flow.protocol === 'other'
          ? ''
          : ` -p ${flow.protocol === 'ICMP' ? icmp : flow.protocol.toLowerCase()}`;
      const port = flow === undefined || flow.port === 0 ? '' : ` --reply-port-src ${flow.port}`;
      return `conntrack -D${isIpv6 ? ' -f ipv6' : ''}${protocol} -s ${from.ip} --reply-src ${to.ip}${port}`;
    });
  return [...new Set(commands)];
}
