import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Namespace } from '../../src/lab/openNamespace.ts';

/** A TCP connection that stays open: what is said on one side comes back from the other, or nothing does. */
export interface Conversation {
  /** Says a word and waits for its echo; false: none came in time. */
  readonly isAnswered: (timeoutMs: number) => Promise<boolean>;
  readonly close: () => void;
}

const echo = `use IO::Socket::INET; $| = 1;
my $server = IO::Socket::INET->new(LocalPort => $ARGV[0], Listen => 5, ReuseAddr => 1) or die "listen: $!";
print "ready\\n";
my $peer = $server->accept; $peer->autoflush(1);
while (defined(my $line = <$peer>)) { print $peer $line }`;

const caller = `use IO::Socket::INET; $| = 1;
my $peer = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1], Timeout => 10) or die "connect: $!";
$peer->autoflush(1); print "ready\\n";
while (defined(my $line = <STDIN>)) { print $peer $line; my $answer = <$peer>; last if !defined $answer; print $answer }`;

export async function openConversation(
  client: Namespace,
  server: Namespace,
  address: string,
  port: number,
): Promise<Conversation> {
  const listener = await started(server, echo, [String(port)]);
  const dialler = await started(client, caller, [address, String(port)]);
  let said = 0;
  return {
    isAnswered: (timeoutMs) => {
      said += 1;
      const word = `word ${said}`;
      dialler.say(word);
      return dialler.hears(word, timeoutMs);
    },
    close: () => {
      dialler.end();
      listener.end();
    },
  };
}

async function started(namespace: Namespace, script: string, args: readonly string[]) {
  const child = spawn('nsenter', [`--net=/proc/${namespace.pid}/ns/net`, '--', 'perl', '-e', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  const heard = new Set<string>();
  const waiting = new Map<string, () => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.add(line);
    waiting.get(line)?.();
  });
  const hears = (line: string, timeoutMs: number) =>
    new Promise<boolean>((resolve) => {
      if (heard.has(line)) return resolve(true);
      const timer = setTimeout(() => resolve(false), timeoutMs);
      waiting.set(line, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  if (!(await hears('ready', 10_000))) {
    child.kill();
    throw new Error(`no conversation in ${namespace.name}`);
  }
  return {
    say: (line: string) => void child.stdin.write(`${line}\n`),
    hears,
    end: () => {
      child.stdin.end();
      child.kill();
    },
  };
}
