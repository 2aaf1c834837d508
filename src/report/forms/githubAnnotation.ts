/** A workflow command that GitHub Actions shows at a line. */
export interface GithubAnnotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/**
 * The command as a line of the log; its texts are safe to print except for line ends. `%`, line ends, and in properties
 * `:` and `,` are escaped as the runner reads them.
 */
export function githubAnnotation({ level, file, line, column, title, message }: GithubAnnotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(file === undefined || line === undefined ? [] : [`line=${line}`]),
    ...(file === undefined || line === undefined || column === undefined ? [] : [`col=${column}`]),
    `title=${property(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${data(message)}\n`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
