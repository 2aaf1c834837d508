/**
 * The texts in a JSON document that contain lines of rules, as in a ConfigMap, a log or an API's answer: strings of
 * several lines, and lists of lines. Undefined: the text is not JSON, or contains none.
 */
export function jsonTexts(text: string): string | undefined {
  const start = text.trimStart();
  if (!/^[[{"]/.test(start) || start.length > longest || /^\{\s*"nftables"/.test(start)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(start);
  } catch {
    return undefined;
  }
  const texts: string[] = [];
  collect(value, texts, 0);
  return texts.length === 0 ? undefined : `${texts.join('\n').trimEnd()}\n`;
}

const longest = 64 << 20;
const deepest = 20;

function collect(value: unknown, texts: string[], depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\n') && ruleLike.test(value)) texts.push(value.trimEnd());
    return;
  }
  if (value === null || typeof value !== 'object' || depth > deepest) return;
  if (Array.isArray(value) && value.length > 1 && value.every((line) => typeof line === 'string')) {
    const lines = value.join('\n');
    if (ruleLike.test(lines)) texts.push(lines);
    return;
  }
  for (const inner of Object.values(value)) collect(inner, texts, depth + 1);
}

/** How lines of iptables, ipset, ipvsadm and nft begin. */
const ruleLike =
  /^[ \t]*(?:(?:\[\d+:\d+\] )?-[AINPa] \S|\*[a-z]+$|:[A-Z]\S* (?:[A-Z]+|-)|Chain \S+ \(|table \S+ \S+ \{|create \S+ (?:hash|bitmap):|(?:TCP|UDP|SCTP) +\S+:\d)/m;
