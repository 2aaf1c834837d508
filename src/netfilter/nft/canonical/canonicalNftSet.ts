import type { NftElement, NftKey, NftSet } from '../ast.ts';
import { tokenize } from '../read/tokenizer.ts';
import { readSelector, selectorTypes } from '../selector.ts';
import { canonicalKey } from './canonicalValue.ts';

/**
 * The set or map with the keys and values of its elements as nft lists them by default: `nft -n` gives protocols as
 * numbers. The same object where nothing changes.
 */
export function canonicalNftSet(set: NftSet): NftSet {
  const types = set.typeOf === undefined ? set.type : typesOf(set.typeOf);
  const elements = set.elements.map((element) => canonicalElement(element, types, set.valueType));
  return elements.every((element, at) => element === set.elements[at]) ? set : { ...set, elements };
}

function canonicalElement(
  element: NftElement,
  types: readonly string[],
  valueTypes: readonly string[] | undefined,
): NftElement {
  const key = partwise(types, element.key);
  const value = element.value && valueTypes ? partwise(valueTypes, element.value) : element.value;
  if (key === element.key && value === element.value) return element;
  return { ...element, key, ...(value && { value }) };
}

/** Prefixes and ranges of sets stay as nft divides them. */
function partwise(types: readonly string[], key: NftKey): NftKey {
  return key.some((part) => part.includes('/') || part.includes('-')) ? key : canonicalKey(types, key);
}

/** Of `ip daddr . meta l4proto . th dport : verdict`. */
function typesOf(typeOf: string): readonly string[] {
  const selector = readSelector(tokenize(typeOf, true));
  return selector === undefined ? [] : selectorTypes(selector);
}
