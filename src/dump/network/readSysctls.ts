/** What a listing says of the settings of the kernel. */
export interface ShownSysctls {
  readonly values: readonly (readonly [name: string, value: number])[];
  /** Settings that the kernel does not have, for it lacks the module that brings them. */
  readonly missing: readonly string[];
}

/**
 * Reads what `sysctl` prints, of some names or of all (`-a`), and what a sysctl.conf asks for: `net.ipv4.ip_forward = 1`,
 * `net/ipv4/ip_forward=1`, `-net…` whose failure is no matter. Values that are no number say nothing here.
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
  // These stand in three parts of the tree: who shows them shows all of it.
  if (['net.core.somaxconn', 'net.ipv4.ip_forward', 'net.unix.max_dgram_qlen'].every((name) => known.has(name)))
    for (const name of ofModules) if (!known.has(name)) missing.push(name);
  return { values, missing };
}

/** In the name of an interface sysctl writes a dot as a slash; of paths it is the other way round. */
function dotted(name: string): string {
  return name.replaceAll('/', '.');
}

/** `sysctl: cannot stat /proc/sys/net/…: No such file or directory`; busybox: `sysctl: error: 'net.…' is an unknown key`. */
const unknownName =
  /^(?:sysctl: )?(?:cannot stat \/proc\/sys\/|error:? ')(net[./][^\s':]+)(?:: No such file or directory|' is an unknown key)/;

/** Of br_netfilter and ip_vs. */
const ofModules: readonly string[] = [
  'net.bridge.bridge-nf-call-iptables',
  'net.bridge.bridge-nf-call-ip6tables',
  'net.ipv4.vs.conntrack',
];
