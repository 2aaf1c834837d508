import type {
  IpvsCommand,
  IpvsState,
  IpvsTimeouts,
  RealServer,
  ServiceAddress,
  ServiceSettings,
  VirtualService,
} from './ast.ts';

/** A command and the line that it stands in, from 1; commands of our own have none. */
export interface PlacedCommand {
  readonly command: IpvsCommand;
  readonly line?: number;
}

interface OpenService {
  settings: ServiceSettings;
  readonly line: number | undefined;
  /** By address and port. */
  readonly servers: Map<string, RealServer>;
}

/**
 * What the kernel holds after it carried out the commands, starting from nothing. A command that it would refuse changes
 * nothing and goes to `refuse`.
 */
export function applyCommands(
  commands: Iterable<PlacedCommand>,
  refuse: (placed: PlacedCommand, message: string) => void,
): IpvsState {
  const services = new Map<string, OpenService>();
  let timeouts: IpvsTimeouts | undefined;
  for (const placed of commands) {
    if (placed.command.kind === 'setTimeouts') timeouts = merge(timeouts, placed.command.timeouts);
    const message = apply(services, placed);
    if (message !== undefined) refuse(placed, message);
  }
  return {
    kind: 'ipvs',
    ...(timeouts && { timeouts }),
    services: [...services.values()].map(
      ({ settings, line, servers }): VirtualService => ({
        ...settings,
        servers: [...servers.values()],
        ...(line !== undefined && { line }),
      }),
    ),
  };
}

/** The commands that make a state, as `ipvsadm -Sn` prints them; timeouts, which it never prints, come first. */
export function* commandsOf(state: IpvsState): Iterable<IpvsCommand> {
  if (state.timeouts !== undefined) yield { kind: 'setTimeouts', timeouts: state.timeouts };
  for (const { servers, line: _line, ...service } of state.services) {
    yield { kind: 'addService', service };
    for (const { line: _line, ...server } of servers) yield { kind: 'addServer', address: service.address, server };
  }
}

/** One text for each service that can be there at the same time: `tcp 10.0.0.1:80`, `mark 1 ipv4`. */
export function serviceKey(address: ServiceAddress): string {
  return address.kind === 'mark'
    ? `mark ${address.mark} ${address.family}`
    : `${address.protocol} ${address.ip} ${address.port}`;
}

/** Why the kernel would refuse; undefined: done. The messages are its own. */
function apply(services: Map<string, OpenService>, { command, line }: PlacedCommand): string | undefined {
  switch (command.kind) {
    case 'clear':
      services.clear();
      return undefined;
    case 'setTimeouts':
      return undefined;
    case 'addService': {
      const key = serviceKey(command.service.address);
      if (services.has(key)) return 'Service already exists';
      services.set(key, { settings: command.service, line, servers: new Map() });
      return undefined;
    }
    case 'editService': {
      const service = services.get(serviceKey(command.service.address));
      if (service === undefined) return 'No such service';
      service.settings = command.service;
      return undefined;
    }
    case 'deleteService':
      return services.delete(serviceKey(command.address)) ? undefined : 'No such service';
    default:
      return changeServer(services.get(serviceKey(command.address)), command, line);
  }
}

function changeServer(
  service: OpenService | undefined,
  command: Extract<IpvsCommand, { kind: 'addServer' | 'editServer' | 'deleteServer' }>,
  line: number | undefined,
): string | undefined {
  if (service === undefined) return 'Service not defined';
  const { ip, port } = command.kind === 'deleteServer' ? command : command.server;
  const key = `${ip} ${port}`;
  const isThere = service.servers.has(key);
  if (command.kind === 'addServer' ? isThere : !isThere) {
    return isThere ? 'Destination already exists' : 'No such destination';
  }
  if (command.kind === 'deleteServer') service.servers.delete(key);
  else service.servers.set(key, { ...command.server, ...(line !== undefined && { line }) });
  return undefined;
}

/** 0 leaves a value as it is. */
function merge(before: IpvsTimeouts | undefined, { tcp, tcpFin, udp }: IpvsTimeouts): IpvsTimeouts {
  return { tcp: tcp || (before?.tcp ?? 0), tcpFin: tcpFin || (before?.tcpFin ?? 0), udp: udp || (before?.udp ?? 0) };
}
