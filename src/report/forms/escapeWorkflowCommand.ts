/**
 * A line of a log that GitHub does not take for a command: `::add-mask::…` at its start (blanks before it do not hinder
 * GitHub) gets a visible escape.
 */
export function escapeWorkflowCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1\\x3a');
}
