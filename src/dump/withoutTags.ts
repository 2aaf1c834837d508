/** Takes the tags of a web page off a text: `<pre>`, `<span class=…>`, `<br>`. What stands in brackets otherwise stays. */
export function withoutTags(text: string): string {
  if (!sign.test(text)) return text;
  return text.replace(/<br\s*\/?>(?!\r?\n)/gi, '\n').replace(tags, '');
}

const sign = /<(?:pre|code|br|span|div|p)\b[^<>]{0,500}>/i;
const tags =
  /<\/?(?:html|head|body|pre|code|samp|br|span|div|p|b|i|u|strong|em|font|table|tbody|tr|td|th|ul|ol|li|a|mark)(?:\s[^<>]{0,500})?\/?>/gi;
