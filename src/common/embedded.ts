/** What a single executable carries inside, by the name of its file; the build of executables alone defines it. */
declare const K8SNET_EMBEDDED: Readonly<Record<string, string>> | undefined;

const texts = typeof K8SNET_EMBEDDED === 'undefined' ? undefined : K8SNET_EMBEDDED;

/** Whether this is a single executable: nothing lies beside it, and nothing may be sought there. */
export const isExecutable = texts !== undefined;

/**
 * The text of a file that otherwise lies beside the bundle, in base64 for a compressed one (`.br`); undefined where it
 * does, or where there is none.
 */
export function embedded(name: string): string | undefined {
  return texts?.[name];
}
