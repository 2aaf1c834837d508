/** A flag as it was given; undefined: without a value. */
export interface GivenFlag {
  readonly name: string;
  readonly value: string | undefined;
}

export type FoundFlags =
  | {
      readonly kind: 'flags';
      readonly flags: readonly GivenFlag[];
      /** Words of the shell or systemd that stand for flags which the text does not give. */
      readonly variables: readonly string[];
      /** What the text is, in words. */
      readonly from: string;
    }
  | { readonly kind: 'several' };

/** Finds kube-proxy's flags in its log, a unit file, a file of variables, or lines of `ps`; the last of two counts. */
export function flagsOf(text: string): FoundFlags {
  const logged = [...text.matchAll(/\bFLAG: --([\w.-]+)=("(?:[^"\\\n]|\\.)*")/g)];
  if (logged.length > 0) {
    const flags = logged.map(([, name = '', value = '""']) => ({
      name: name.replaceAll('_', '-'),
      value: unquote(value),
    }));
    return { kind: 'flags', flags, variables: [], from: "the FLAG lines of kube-proxy's log" };
  }
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line));
  const commands = lines.flatMap((line) => {
    const program =
      /(?:^|[\s=/"'@!+-])(?:kube-proxy(?:\.exe)?|hyperkube["']?\s+(?:kube-)?proxy)["']?(?=\s+["']?-|\s+\$|\s*$)/.exec(
        line,
      );
    const isStart =
      program !== null &&
      !/^(?:Exec(?:StartPre|StartPost|Stop|StopPost|Reload)|Environment(?:File)?|Description)=/.test(line);
    return isStart ? [line.slice(program.index + program[0].length).trim()] : [];
  });
  const started = [...new Set(commands.filter((command) => /^["']?[-$]/.test(command)))];
  if (started.length > 1) return { kind: 'several' };
  const [command] = started;
  if (command !== undefined) {
    const isUnit = /^ExecStart=/m.test(text);
    return { ...parse(command), from: isUnit ? 'a unit file' : 'a command line' };
  }
  // A file of variables: each value is a piece of the command line. Without any, the text is nothing but flags.
  const pieces = lines.map((line) => {
    const value = /^(?:export\s+)?[A-Z][A-Z0-9_]*=(.*)$/.exec(line)?.[1];
    return value === undefined ? line : /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
  });
  const isVariables = pieces.some((piece, index) => piece !== lines[index]);
  return { ...parse(pieces.join(' ')), from: isVariables ? 'a file of variables' : 'flags' };
}

function parse(command: string): { readonly kind: 'flags'; flags: GivenFlag[]; variables: string[] } {
  const flags: GivenFlag[] = [];
  const variables: string[] = [];
  const words = wordsOf(command);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (/^\$/.test(word)) variables.push(word);
    const flag = /^--?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word);
    if (flag === null) continue;
    const name = (flag[1] as string).replaceAll('_', '-');
    const next = words[at + 1];
    const takesNext = flag[2] === undefined && !switches.has(name) && next !== undefined && !/^(?:-|\$)/.test(next);
    flags.push({ name, value: takesNext ? next : flag[2] });
    if (takesNext) at += 1;
  }
  return { kind: 'flags', flags, variables };
}

/** Flags without a value: the next word does not belong to them. */
const switches: ReadonlySet<string> = new Set([
  ...['masquerade-all', 'ipvs-strict-arp', 'iptables-localhost-nodeports', 'conntrack-tcp-be-liberal', 'logtostderr'],
  ...['alsologtostderr', 'cleanup', 'cleanup-iptables', 'cleanup-ipvs', 'profiling', 'bind-address-hard-fail'],
]);

/** Splits at blanks outside of quotes, as a shell does; nothing is expanded. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  for (const [word] of command.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']|["'](?=[^"']*$))+/g)) {
    words.push(
      word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    );
  }
  return words;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
