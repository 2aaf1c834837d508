/**
 * Whether a text consists of Kubernetes objects without rules, which means that it is not a dump. A paste may begin
 * with a manifest, or contain a dump in a string.
 */
export function isObjects(text: string): boolean {
  return objects.test(text.slice(0, 1 << 12)) && !hasRules(text);
}

/** One of its lines is a rule, or opens a table. */
export function hasRules(text: string): boolean {
  return rules.test(text);
}

const objects = /^\uFEFF?(?:\s|#.*\n|---.*\n)*(?:\{\s*"(?:apiVersion|kind)"\s*:|(?:apiVersion|kind):\s)/;
/** At the beginning of a line, or of a line in a JSON string. */
const rules =
  /(?:^|\\n|\\t|")\W*(?:\*(?:nat|filter|mangle|raw)\b|-[APN] [A-Z]|Chain \S+ \(|table (?:ip|ip6|inet) |add rule |create \S+ hash:|IP Virtual Server)/m;
