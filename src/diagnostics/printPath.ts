import type { JsonPath } from './diagnostic.ts';

/** A path as Kubernetes' own messages spell it: `spec.ports[0].port`, `metadata.annotations[example.com/a]`. */
export function printPath(path: JsonPath): string {
  let printed = '';
  for (const step of path) {
    if (typeof step === 'number') printed += `[${step}]`;
    else if (!plainName.test(step)) printed += `[${step}]`;
    else printed += printed === '' ? step : `.${step}`;
  }
  return printed;
}

const plainName = /^[\w-]+$/;
