/** Whether two values of plain data are the same; the order of fields does not count. */
export function sameData(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let at = 0; at < one.length; at += 1) if (!sameData(one[at], other[at])) return false;
    return true;
  }
  let fields = 0;
  for (const name in one) {
    if (!Object.hasOwn(one, name)) continue;
    fields += 1;
    if (!Object.hasOwn(other, name)) return false;
    const [value, own] = [(one as Fields)[name], (other as Fields)[name]];
    if (value !== own && !sameData(value, own)) return false;
  }
  return fields === Object.keys(other).length;
}

type Fields = Readonly<Record<string, unknown>>;
