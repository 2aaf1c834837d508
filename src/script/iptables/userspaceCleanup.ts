import { userspaceChains } from '../../emit/userspace/emitUserspace.ts';
import { noUndo, shellPrelude } from '../shellPrelude.ts';
import { cleanFunction, forEachTool, noteRule, readNamedChains } from './chainCleanup.ts';

/**
 * A POSIX shell script that removes what kube-proxy's userspace mode wrote, in both families, and nothing else. A chain
 * that somebody else's chain leads to stays, and is named.
 */
export function userspaceCleanupScript(): string {
  const names = userspaceChains.map(([, chain]) => chain).join(' ');
  return `${shellPrelude("Removes kube-proxy's rules of userspace mode from this node, and nothing else.")}chains='${names}'
${body}`;
}

const clean = cleanFunction({
  parameters: 'TOOL TABLE',
  variables: '-v names="$chains" ',
  reading: `${readNamedChains}${noteRule}    }
`,
  keeping: `      for (n = 1; n <= number; n++) if (ours(to[n]) && !builtin[from[n]] && !(from[n] in chains)) kept[to[n]] = 1
`,
  deleting: `        if (builtin[from[n]] && ours(to[n])) print rule
`,
});

const body = `${noUndo}${clean}
need awk grep
${forEachTool(`  for table in nat filter; do clean "$tool" "$table"; done
`)}
done=yes
say_gone 'the rules of kube-proxy' ''
`;
