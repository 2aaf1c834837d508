/**
 * What the image holds beside the executable: the programs that read a node's rules, and none that only write. The Debian
 * packages they come from, and of these the files; the libraries that the programs load are found by asking them.
 */
export const contents: readonly PackageFiles[] = [
  // One program under several names. `iptables-save` alone would be the one that a system prefers: here both have names.
  {
    name: 'iptables',
    files: [
      'usr/sbin/xtables-nft-multi',
      'usr/sbin/xtables-legacy-multi',
      ...['iptables', 'ip6tables'].flatMap((tool) =>
        ['nft', 'legacy'].flatMap((variant) => [`usr/sbin/${tool}-${variant}-save`, `usr/sbin/${tool}-${variant}`]),
      ),
      // Matches and targets are loaded when a rule names them.
      'usr/lib/TRIPLET/xtables',
    ],
  },
  { name: 'nftables', files: ['usr/sbin/nft'] },
  { name: 'ipset', files: ['usr/sbin/ipset'] },
  { name: 'ipvsadm', files: ['usr/sbin/ipvsadm'] },
  { name: 'conntrack', files: ['usr/sbin/conntrack'] },
  { name: 'iproute2', files: ['usr/bin/ip', 'usr/sbin/bridge', 'etc/iproute2'] },
  { name: 'procps', files: ['usr/sbin/sysctl'] },
  // nft and ip look up names of protocols there.
  { name: 'netbase', files: ['etc/protocols'] },
  // Tells scanners whose packages these are.
  { name: 'base-files', files: ['usr/lib/os-release', 'etc/os-release'] },
  { name: 'libc6', files: [] },
];

export interface PackageFiles {
  readonly name: string;
  /** Files and folders; TRIPLET stands for the machine's, as in `x86_64-linux-gnu`. */
  readonly files: readonly string[];
}

/** Files that no package has. The user is the one that images of this kind agree on for "nobody in particular". */
export const ownFiles: Readonly<Record<string, string>> = {
  'etc/passwd':
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/nonexistent:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnonroot:x:65532:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/** Machines that images are made for, as Debian and as compilers call them. */
export const triplets = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' } as const;

export type Architecture = keyof typeof triplets;
