import type { Namespace } from './openNamespace.ts';
import { tryIn } from './runIn.ts';

/** Which iptables loads rules; undefined: the one that the machine prefers. */
export type IptablesBackend = 'nft' | 'legacy';

/**
 * Runs the script that loads a node's rules, in the node's namespace. Its temporary files are in private memory.
 * Undefined: everything was loaded; otherwise what the script printed.
 */
export async function loadRules(
  namespace: Namespace,
  script: string,
  backend: IptablesBackend | undefined,
): Promise<string | undefined> {
  const command = ['unshare', '--mount', '--', 'sh', '-c', inPrivate, 'sh', backend ?? ''];
  const { status, stderr } = await tryIn(namespace, command, script);
  return status === 0 ? undefined : stderr.trim() || `status ${status}`;
}

/** The script comes by standard input. Its tools are found by their plain names, in a folder before all others. */
const inPrivate = `set -eu
mount -t tmpfs none /tmp
mount -t tmpfs none /run
unset TMPDIR
if [ -n "$1" ]; then
  mkdir /tmp/tools
  for tool in iptables ip6tables; do
    for end in '' -save -restore; do
      ln -s "$(command -v "$tool-$1$end")" "/tmp/tools/$tool$end"
    done
  done
  PATH=/tmp/tools:$PATH
fi
exec sh -s`;
