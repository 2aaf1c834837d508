/** What a single executable carries inside, by file name; only the build of executables defines it. */
declare const K8SNET_EMBEDDED: Readonly<Record<string, string>> | undefined;

const texts = typeof K8SNET_EMBEDDED === 'undefined' ? undefined : K8SNET_EMBEDDED;

/** Whether this is a single executable: no files lie beside it, so none may be looked for there. */
export const isExecutable = texts !== undefined;

/**
 * The text of a file that otherwise lies beside the bundle, in base64 if compressed (`.br`); undefined if it does lie
 * there, or does not exist.
 */
export function embedded(name: string): string | undefined {
  return texts?.[name];
}
