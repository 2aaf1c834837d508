import type { NftCommand } from '../../netfilter/nft/command.ts';
import { writeCommand } from '../../netfilter/nft/writeCommand.ts';

export interface ScriptInput {
  /** The transaction of each family. */
  readonly transactions: readonly Iterable<NftCommand>[];
  /** `net.netfilter.nf_conntrack_max` and its value, in order. */
  readonly sysctls: readonly (readonly [string, string])[];
}

/**
 * A POSIX shell script that puts the rules in place, in pieces. All families go through one `nft -f`, so that either
 * everything changes or nothing; each table is made anew in it, so the script can be run again and again and leaves
 * nothing of an older state.
 */
export function* nftablesScript({ transactions, sysctls }: ScriptInput): Generator<string> {
  yield `${head}
# The tables are made anew in the same transaction that fills them: there is no moment without rules.
nft -f - <<'${terminator}' || fail 'nft refused the rules; what was loaded before is still there'
`;
  for (const commands of transactions) {
    const tables = new Set<string>();
    for (const command of commands) {
      const table = `${command.family} ${command.table}`;
      if (!tables.has(table)) {
        tables.add(table);
        yield* freshTable(table);
      }
      yield oneLine(writeCommand(command));
    }
  }
  yield `${terminator}\n`;
  yield* sysctlLines(sysctls);
}

/** A script that removes kube-proxy's tables, whether they are there or not, and nothing else. */
export function nftablesCleanupScript(): string {
  const lines = [...freshTable('ip kube-proxy'), ...freshTable('ip6 kube-proxy')];
  return `${head}
# A table that is not there cannot be deleted, so it is added first.
nft -f - <<'${terminator}' || fail 'nft could not delete the tables'
${lines.join('')}${terminator}
`;
}

function* freshTable(table: string): Generator<string> {
  yield `add table ${table}\n`;
  yield `delete table ${table}\n`;
}

/** Every line of a transaction begins with a verb, so it never is this one. */
const terminator = 'K8SNET_END_OF_RULES';

/** A command is one line whatever is in it: nothing of an input can end the text and begin a shell command. */
function oneLine(line: string): string {
  const body = line.slice(0, -1);
  return breaks.test(body) ? `${body.replace(allBreaks, '?')}\n` : line;
}

const breaks = /[\u0000-\u001f\u007f]/;
const allBreaks = /[\u0000-\u001f\u007f]/g;

/** 5.13 and 1.0.1: what kube-proxy's nftables mode asks for (KEP-3866). */
const head = `#!/bin/sh
# Written by k8snet: what kube-proxy leaves in nftables mode.
set -eu

fail() {
  printf 'k8snet: %s\\n' "$*" >&2
  exit 1
}

# comparable VERSION: up to three numbers as one.
comparable() {
  rest=\${1%%[!0-9.]*}.0.0
  major=\${rest%%.*}
  rest=\${rest#*.}
  minor=\${rest%%.*}
  rest=\${rest#*.}
  patch=\${rest%%.*}
  printf '%s\\n' "$((\${major:-0} * 1000000 + \${minor:-0} * 1000 + \${patch:-0}))"
}

[ "$(id -u)" -eq 0 ] || fail 'only root can change rules'
command -v nft >/dev/null || fail 'nft is not installed (Debian package: nftables)'
kernel=$(uname -r)
[ "$(comparable "$kernel")" -ge 5013000 ] || fail "Linux 5.13 or newer is needed, this is $kernel"
version=$(nft --version)
version=\${version#nftables v}
[ "$(comparable "$version")" -ge 1000001 ] || fail "nft 1.0.1 or newer is needed, this is $version"
`;

function* sysctlLines(sysctls: ScriptInput['sysctls']): Generator<string> {
  if (sysctls.length === 0) {
    return;
  }
  // After the rules: loading them is what loads conntrack, which these belong to.
  yield `
problems=0
set_sysctl() {
  if [ "$(cat "$1" 2>/dev/null)" = "$2" ]; then
    return
  fi
  if ! { printf '%s\\n' "$2" >"$1"; } 2>/dev/null; then
    printf 'k8snet: cannot write %s to %s\\n' "$2" "$1" >&2
    problems=1
  fi
}
`;
  for (const [name, value] of sysctls) {
    yield `set_sysctl ${shellWord(`/proc/sys/${name.replaceAll('.', '/')}`)} ${shellWord(value)}\n`;
  }
  yield '[ "$problems" -eq 0 ]\n';
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
