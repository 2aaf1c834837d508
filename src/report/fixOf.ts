import type { Finding } from '../findings/finding.ts';

/** How to fix a finding, with the namespace and the name of its Service in the commands, ready to be pasted into a shell. */
export function fixOf({ fix, service = '' }: Finding): string {
  const [, namespace, name] = serviceName.exec(service) ?? [];
  if (namespace === undefined || name === undefined) return fix;
  return fix.replace(/`[^`]+`/g, (command) =>
    command.replace(/\bNAMESPACE\b/g, namespace).replace(/(?<=[ =])NAME(?=[ `])/g, name),
  );
}

/** A dump may hold anything in its place. */
const serviceName = /^([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9-]*)(?::|$)/;
