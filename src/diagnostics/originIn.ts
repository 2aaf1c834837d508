import type { JsonPath, Origin } from './diagnostic.ts';

/** The place of `path` in the object at `origin`. */
export function originIn(origin: Origin, path: JsonPath): Origin {
  return { ...origin, path: [...origin.path, ...path] };
}
