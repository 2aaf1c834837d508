/**
 * A line of a log that GitHub does not interpret as a command: `::add-mask::…` at its start (GitHub ignores leading
 * blanks) gets a visible escape.
 */
export function escapeWorkflowCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1\\x3a');
}
