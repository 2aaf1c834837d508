/** Kernel modules that a listing shows as loaded. */
export interface ShownModules {
  readonly names: ReadonlySet<string>;
  /** The listing is complete: a module that it does not name is not loaded (it may be built in). */
  readonly isWhole: boolean;
}

/**
 * Reads `lsmod` or /proc/modules, or the result of a search in them. It is only a part if a module that uses another
 * has no line, or if the heading of lsmod is missing and the list is short.
 */
export function readModules(text: string): ShownModules {
  const names = new Set<string>();
  const users = new Set<string>();
  let hasHeading = false;
  for (const line of text.split('\n')) {
    if (/^\s*Module\s+Size\s+Used by\s*$/.test(line)) hasHeading = true;
    const [, name, by = ''] = moduleLine.exec(line) ?? [];
    if (name === undefined) continue;
    names.add(name.replaceAll('-', '_'));
    for (const user of by.split(',')) if (/^[a-z]\w*$/.test(user)) users.add(user);
  }
  const isClosed = [...users].every((user) => names.has(user));
  return { names, isWhole: isClosed && (hasHeading || names.size >= leastWhole) };
}

/** `ip_vs 155648 2 ip_vs_rr,ip_vs_sh` and `ip_vs 155648 2 ip_vs_rr,ip_vs_sh, Live 0x0000000000000000`. */
const moduleLine =
  /^\s*([A-Za-z0-9][\w-]*)\s+\d{3,9}\s+-?\d+(?:\s+([\w,-]+))?(?:\s+(?:Live|Loading|Unloading)\s.*|\s*)$/;

/** /proc/modules has no heading; a search for some names never finds as many. */
const leastWhole = 30;
