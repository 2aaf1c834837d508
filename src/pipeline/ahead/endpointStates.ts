import type { SliceEndpoint } from '../../validate/shown/sliceEndpoints.ts';

/** What counts of an endpoint beside its address. */
export type EndpointState = Pick<SliceEndpoint, 'conditions' | 'nodeName' | 'hints'>;

/** Gives the number of an endpoint's state among `states`, and adds it if it is new. */
export function stateNumbers(states: object[]): (state: EndpointState) => number {
  const plain = new Map<SliceEndpoint['nodeName'], (number | undefined)[]>();
  const hinted = new Map<string, number>();
  const add = ({ conditions, nodeName, hints }: EndpointState) => states.push({ conditions, nodeName, hints }) - 1;
  return (state) => {
    const { conditions, nodeName, hints } = state;
    const { ready, serving, terminating } = conditions ?? {};
    const conditionsKey = conditionKey(ready) * 16 + conditionKey(serving) * 4 + conditionKey(terminating);
    if (hints) {
      const key = JSON.stringify([conditionsKey, nodeName ?? null, hints]);
      const number = hinted.get(key) ?? add(state);
      hinted.set(key, number);
      return number;
    }
    // Without a text for each of a hundred thousand.
    let ofNode = plain.get(nodeName);
    if (ofNode === undefined) {
      ofNode = [];
      plain.set(nodeName, ofNode);
    }
    ofNode[conditionsKey] ??= add(state);
    return ofNode[conditionsKey];
  };
}

function conditionKey(value: boolean | null | undefined): number {
  return value === true ? 1 : value === false ? 2 : value === null ? 3 : 0;
}
