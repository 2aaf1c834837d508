/** What a listing shows about the kernel's settings. */
export interface ShownSysctls {
  readonly values: readonly (readonly [name: string, value: number])[];
  /** Settings that the kernel does not have because the module that provides them is missing. */
  readonly missing: readonly string[];
}

/**
 * Reads what `sysctl` prints, for some names or all (`-a`), and what a sysctl.conf sets: `net.ipv4.ip_forward = 1`,
 * `net/ipv4/ip_forward=1`, `-net…`, whose failure does not matter. Values that are not numbers are ignored.
 */
export function readSysctls(text: string): ShownSysctls {
  const values: (readonly [string, number])[] = [];
  const missing: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*-?(net[./][^\s=]+)\s*=\s*(-?\d+)\s*$/.exec(line) ?? [];
    if (name !== undefined) values.push([dotted(name), Number(value)]);
    else {
      const absent = unknownName.exec(line)?.[1];
      if (absent !== undefined) missing.push(dotted(absent));
    }
  }
  const known = new Set(values.map(([name]) => name));
  // These are in three parts of the tree: a listing with all of them shows the whole tree.
  if (['net.core.somaxconn', 'net.ipv4.ip_forward', 'net.unix.max_dgram_qlen'].every((name) => known.has(name)))
    for (const name of ofModules) if (!known.has(name)) missing.push(name);
  return { values, missing };
}

/** Sysctl writes a dot in an interface's name as a slash; in paths it is the other way round. */
function dotted(name: string): string {
  return name.replaceAll('/', '.');
}

/** `sysctl: cannot stat /proc/sys/net/…: No such file or directory`; busybox: `sysctl: error: 'net.…' is an unknown key`. */
const unknownName =
  /^(?:sysctl: )?(?:cannot stat \/proc\/sys\/|error:? ')(net[./][^\s':]+)(?:: No such file or directory|' is an unknown key)/;

/** Settings of br_netfilter and ip_vs. */
const ofModules: readonly string[] = [
  'net.bridge.bridge-nf-call-iptables',
  'net.bridge.bridge-nf-call-ip6tables',
  'net.ipv4.vs.conntrack',
];
