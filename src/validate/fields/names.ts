/**
 * The API's rules for names. Each function says what is wrong with a text, or undefined. Lengths are looked at before
 * patterns, so that hostile input costs nothing.
 */
export function dns1123LabelProblem(text: string): string | undefined {
  return problem(
    text,
    63,
    dns1123Label,
    'must be lower case letters, digits and "-", and start and end with a letter or digit',
  );
}

/** Names of Services, which become DNS labels of their own. */
export function dns1035LabelProblem(text: string): string | undefined {
  return problem(
    text,
    63,
    dns1035Label,
    'must be lower case letters, digits and "-", start with a letter and end with a letter or digit',
  );
}

/** Names of most other objects: labels with dots between them. */
export function dns1123SubdomainProblem(text: string): string | undefined {
  return problem(
    text,
    253,
    dns1123Subdomain,
    'must be lower case letters, digits, "-" and ".", and start and end with a letter or digit',
  );
}

/** `example.com` or longer, a final dot allowed. */
export function domainNameProblem(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const found = dns1123SubdomainProblem(name);
  if (found !== undefined) return found;
  if (!name.includes('.')) return 'must be a domain name with at least two parts';
  return name.split('.').some((label) => label.length > 63) ? 'has a part of more than 63 characters' : undefined;
}

/** Keys of labels and annotations, and appProtocol: `name` or `example.com/name`. */
export function qualifiedNameProblem(text: string): string | undefined {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? undefined : text.slice(0, slash);
  if (prefix !== undefined) {
    const found = dns1123SubdomainProblem(prefix);
    if (found !== undefined) return `the part before "/" ${found}`;
  }
  return problem(
    text.slice(slash + 1),
    63,
    qualifiedName,
    `${prefix === undefined ? '' : 'the part after "/" '}${nameWords}`,
  );
}

export function labelValueProblem(text: string): string | undefined {
  return text === '' ? undefined : problem(text, 63, qualifiedName, nameWords);
}

/** Names of container ports, which targetPort may give (RFC 6335). */
export function portNameProblem(text: string): string | undefined {
  if (text.length > 15) return 'must be at most 15 characters';
  if (!/^[a-z0-9-]+$/.test(text)) return 'must be lower case letters, digits and "-"';
  if (!/[a-z]/.test(text)) return 'must contain a letter';
  return /^-|--|-$/.test(text) ? 'must not start or end with "-" or contain "--"' : undefined;
}

const dns1123Label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const dns1035Label = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const dns1123Subdomain = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const qualifiedName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const nameWords = 'must be letters, digits, "-", "_" and ".", and start and end with a letter or digit';

function problem(text: string, longest: number, pattern: RegExp, words: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.length > longest) return `must be at most ${longest} characters, has ${text.length}`;
  return pattern.test(text) ? undefined : words;
}
