/**
 * The command that somebody typed in front of an output: behind a prompt (`root@node:~# iptables-save`,
 * `[root@node ~]$`, `node ~ #`, `user@mac ~ %`, `$`), or alone if it begins with a program that prints rules; empty for
 * a
 * prompt without a command. Undefined: the line is not a command.
 */
export function typedCommand(line: string): string | undefined {
  const text = line.length > longest ? line.slice(0, longest) : line;
  const strong = strongPrompt.exec(text);
  if (strong !== null) return text.slice(strong[0].length).trim();
  const weak = weakPrompt.exec(text)?.[0];
  const command = text.slice(weak?.length ?? 0).trim();
  // A word before the sign is a host name only if a command follows.
  if (weak !== undefined && command === '') return /^\s*(?:\W|sh-|bash-)/.test(weak) ? '' : undefined;
  const [first = '', second = ''] = command.split(/\s+/, 2);
  const isCommand = printers.test(first) || (weak !== undefined && helpers.test(first));
  // `iptables -t nat -A …` is a rule as somebody typed it.
  if (!isCommand && !(first === 'sudo' && (printers.test(second) || helpers.test(second)))) return undefined;
  return / -[AIND] /.test(command) && weak === undefined ? undefined : command;
}

const longest = 2000;
/** It names a host, a user or a folder, and any command may follow. */
const strongPrompt =
  /^\s*(?:\([\w.-]{1,40}\) )?(?:\[[^\]=\s]{1,100}@?[^\]=]{0,100}\]|[\w.-]{1,60}@[\w.:~/+-]{1,120}(?: [~/][^\s"=]{0,100})?|[\w.-]{1,60}:[~/][^\s"=]{0,100}|[\w.-]{1,60} [~/][^\s"=]{0,100}|[~/][\w./~-]{0,100}) ?[$#%>](?:\s+|$)/;
const weakPrompt = /^\s*(?:[$#%>❯»]|➜|sh-[\d.]+[$#]|bash-[\d.]+[$#]|[\w.-]{1,60}[$#%>])(?:\s+|$)/;
const printers =
  /^(?:\/?(?:usr\/)?(?:s?bin\/)?)?(?:ip6?tables(?:-[\w-]+)?|xtables-[\w-]+|nft|ipset|ipvsadm|conntrack|bridge|ip|sysctl|lsmod|ifconfig|route|netstat)$/;
const helpers =
  /^(?:sudo|su|ssh|kubectl|oc|docker|podman|crictl|nerdctl|nsenter|chroot|minikube|kind|k3s|microk8s|rke2|cat|zcat|grep|egrep|head|tail|less|watch|for|while|echo|printf|curl|wget|ping|nc|dig|nslookup|uname|date|ls|cd|systemctl|journalctl|modprobe|exit|logout|clear|time|sh|bash)$/;
