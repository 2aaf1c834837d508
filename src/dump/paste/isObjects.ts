/** A text of Kubernetes objects and of no rules, which nobody needs to read as a dump; what is pasted may begin with a manifest, or have a dump in a string. */
export function isObjects(text: string): boolean {
  return objects.test(text.slice(0, 1 << 12)) && !hasRules(text);
}

/** A line of it is a rule, or opens what rules stand in. */
export function hasRules(text: string): boolean {
  return rules.test(text);
}

const objects = /^\uFEFF?(?:\s|#.*\n|---.*\n)*(?:\{\s*"(?:apiVersion|kind)"\s*:|(?:apiVersion|kind):\s)/;
/** At the beginning of a line, or of one in a string of JSON. */
const rules =
  /(?:^|\\n|\\t|")\W*(?:\*(?:nat|filter|mangle|raw)\b|-[APN] [A-Z]|Chain \S+ \(|table (?:ip|ip6|inet) |add rule |create \S+ hash:|IP Virtual Server)/m;
