import type { Compiled } from '../../pipeline/compile.ts';

/** What a Service port asks for that modes treat otherwise. */
export interface ServiceTraits {
  readonly hasSourceRanges: boolean;
  readonly isExternalLocal: boolean;
  readonly isInternalLocal: boolean;
  /** An address is an external and a load balancer's at once. */
  readonly sharesAddress: boolean;
}

/** By `namespace/name:port`. */
export function serviceTraits({ model }: Compiled): ReadonlyMap<string, ServiceTraits> {
  return new Map(
    model.servicePorts.map((port) => {
      const { namespace, name, portName, sourceRanges, externalIPs, loadBalancerIngress } = port;
      const traits: ServiceTraits = {
        hasSourceRanges: sourceRanges.length > 0 || (port.beta?.sourceRanges.length ?? 0) > 0,
        isExternalLocal: port.isExternalPolicyLocal,
        isInternalLocal: port.isInternalPolicyLocal,
        sharesAddress: loadBalancerIngress.some(({ ip }) => externalIPs.includes(ip)),
      };
      return [portName === '' ? `${namespace}/${name}` : `${namespace}/${name}:${portName}`, traits] as const;
    }),
  );
}
