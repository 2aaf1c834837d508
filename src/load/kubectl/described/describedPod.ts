import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownNumber } from '../shown/shownNumber.ts';
import { shownText } from '../shown/shownText.ts';
import type { Described } from './described.ts';
import type { Description } from './description.ts';

/** A Pod: where it runs, its addresses, its containers with their ports. */
export function describedPod(shown: Description): Described {
  const { first, fields } = shown;
  const blockOf = (key: string) => fields.find((field) => field.key === key)?.block ?? [];
  const [node, nodeIP] = first('Node')?.split('/') ?? [];
  const ip = first('IP');
  const ips = blockOf('IPs').flatMap((line) => shownText(/^ +IP:\s*(\S+)/.exec(line)?.[1]) ?? []);
  const [phase = '', ...rest] = first('Status')?.split(' ') ?? [];
  const isReady = blockOf('Conditions').some((line) => /^ +Ready +True/.test(line));
  const value = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: withoutUnset({
      name: first('Name'),
      namespace: first('Namespace'),
      labels: shown.labels(),
      annotations: shown.annotations(),
      // That it is being deleted is shown, and when is not: only the first counts.
      deletionTimestamp: phase === 'Terminating' ? '1970-01-01T00:00:00Z' : undefined,
    }),
    spec: withoutUnset({
      nodeName: node,
      // Only a Pod in its node's network has the node's address.
      hostNetwork: ip !== undefined && ip === nodeIP ? true : undefined,
      containers: containersOf(blockOf('Containers')),
      initContainers: some(containersOf(blockOf('Init Containers'))),
    }),
    status: withoutUnset({
      phase: phases.includes(phase) && rest.length === 0 ? phase : phase === 'Terminating' ? 'Running' : undefined,
      podIP: ip,
      podIPs: ips.length > 1 ? ips.map((one) => ({ ip: one })) : undefined,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    }),
  };
  const hides =
    'in descriptions of Pods: host name, subdomain and DNS settings; with kubectl before 1.31 names of ports';
  return { values: [{ value, isWhole: true }], cuts: [], hides };
}

const phases: readonly string[] = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];

/** A container begins with its name; what is deeper says more of it. */
function containersOf(block: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const containers: { name: string; ports: Record<string, unknown>[] }[] = [];
  for (const line of block) {
    const name = /^ {2}(\S+):\s*$/.exec(line)?.[1];
    if (name !== undefined) containers.push({ name, ports: [] });
    const [, isHost, list = ''] = /^ {4}(Host )?Ports?:\s*(.*)$/.exec(line) ?? [];
    const last = containers.at(-1);
    for (const [index, text] of (shownText(list)?.split(', ') ?? []).entries()) {
      const [, number = '', protocol, portName] = /^(\d+)\/(TCP|UDP|SCTP)(?: \(([\w-]+)\))?$/.exec(text) ?? [];
      const known = last?.ports[index];
      if (number === '' || last === undefined) continue;
      if (isHost === undefined)
        last.ports.push(withoutUnset({ name: portName, containerPort: shownNumber(number), protocol }));
      else if (known !== undefined && number !== '0') known.hostPort = shownNumber(number);
    }
  }
  return containers.map(({ name, ports }) => ({ name, ...(ports.length > 0 && { ports }) }));
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
