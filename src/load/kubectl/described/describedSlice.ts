import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownText } from '../shown/shownText.ts';
import type { Described } from './described.ts';
import { describedPort } from './describedPort.ts';
import type { Description } from './description.ts';

/** An EndpointSlice, whose label names its Service. */
export function describedSlice(shown: Description): Described {
  const blockOf = (key: string) => shown.fields.find((field) => field.key === key)?.block ?? [];
  const ports = blockOf('Ports').flatMap((line) => describedPort(line) ?? []);
  const endpoints: Record<string, unknown>[] = [];
  for (const line of blockOf('Endpoints')) {
    const [, key, value = ''] =
      /^ +(?:- )?(Addresses|Ready|Hostname|TargetRef|NodeName|Zone):\s*(.*)$/.exec(line) ?? [];
    const text = shownText(value);
    const last = endpoints.at(-1);
    if (key === 'Addresses') endpoints.push({ addresses: text?.split(/, */) ?? [] });
    else if (last === undefined || text === undefined) continue;
    else if (key === 'Ready') last.conditions = { ready: text === 'true' };
    else if (key === 'Hostname') last.hostname = text;
    else if (key === 'NodeName') last.nodeName = text;
    else if (key === 'Zone') last.zone = text;
    else if (key === 'TargetRef') last.targetRef = { kind: text.split('/')[0], name: text.split('/')[1] };
  }
  const value = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: withoutUnset({
      name: shown.first('Name'),
      namespace: shown.first('Namespace'),
      labels: shown.labels(),
    }),
    addressType: shown.first('AddressType'),
    ports,
    endpoints,
  };
  const hides = 'in descriptions of EndpointSlices: hints, and whether endpoints serve or terminate';
  return { values: [{ value, isWhole: true }], cuts: [], hides };
}
