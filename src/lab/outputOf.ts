import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gives a process its input and waits for its end; what it prints is text. */
export function outputOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (status) => resolve({ status: status ?? 255, stdout, stderr }));
    // A command may end without having read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
