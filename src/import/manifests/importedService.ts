import type { ImportedEndpoint } from './importedEndpoints.ts';
import type { GroupPort, ServiceGroup } from './serviceGroup.ts';

/** A Service whose endpoints are settled, and the notes about them. */
export interface ImportedService {
  readonly group: ServiceGroup;
  readonly endpoints: readonly PortEndpoints[];
  readonly usesHints: boolean;
  /** Of some ports the rules do not show all endpoints. */
  readonly lacksEndpoints: boolean;
  readonly hasMadeUpEndpoints: boolean;
  /** Endpoints that are left out, as the API takes no such address. */
  readonly special: number;
  /** Endpoints of which no rule tells the node. */
  readonly placeless: number;
}

export interface PortEndpoints {
  readonly port: GroupPort;
  readonly family: 'ipv4' | 'ipv6';
  /** Undefined: nothing shows of them. */
  readonly endpoints: readonly ImportedEndpoint[] | undefined;
}
