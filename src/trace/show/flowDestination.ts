import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Flow } from '../../walk/flow.ts';
import { endText } from '../../walk/values/text.ts';

/** Where a flow goes, as translated so far: `10.244.1.9:8080`. */
export function flowDestination({ packet: { destination, destinationPort } }: Flow): string {
  return endText(onlyValue(destination), destinationPort && (onlyValue(destinationPort) ?? null));
}
