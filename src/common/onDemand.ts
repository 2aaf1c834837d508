/** An object whose fields are made when they are first read. */
export function onDemand<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const object = {} as T;
  for (const key of Object.keys(makers) as (keyof T)[]) {
    let made: { readonly value: T[typeof key] } | undefined;
    Object.defineProperty(object, key, {
      enumerable: true,
      get: () => {
        made ??= { value: makers[key]() };
        return made.value;
      },
    });
  }
  return object;
}
