import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownText } from '../shown/shownText.ts';
import type { Described } from './described.ts';
import { describedPort } from './describedPort.ts';
import type { Description } from './description.ts';

/** Endpoints with all their subsets: addresses, those that are not ready, ports with names and protocols. */
export function describedEndpoints(shown: Description): Described {
  const name = shown.first('Name') ?? '';
  const block = shown.fields.find(({ key }) => key === 'Subsets')?.block ?? [];
  const subsets: Record<string, unknown>[] = [];
  for (const line of block) {
    const [, key, value = ''] = /^ +(Addresses|NotReadyAddresses):\s*(.*)$/.exec(line) ?? [];
    const last = subsets.at(-1);
    if (key === 'Addresses') subsets.push({ addresses: addressesOf(value) });
    else if (key === 'NotReadyAddresses' && last !== undefined) last.notReadyAddresses = addressesOf(value);
    else if (last !== undefined) {
      const port = describedPort(line);
      if (port !== undefined) last.ports = [...((last.ports as unknown[] | undefined) ?? []), port];
    }
  }
  const metadata = withoutUnset({ name, namespace: shown.first('Namespace'), labels: shown.labels() });
  const value = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets };
  const hides = 'in descriptions of Endpoints: nodes and host names of endpoints';
  return { values: [{ value, isWhole: true }], cuts: [], hides };
}

function addressesOf(text: string): readonly { readonly ip: string }[] {
  return (
    shownText(text)
      ?.split(/, */)
      .map((ip) => ({ ip })) ?? []
  );
}
