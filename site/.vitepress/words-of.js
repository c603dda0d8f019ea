/**
 * The words of a text, by which it is found: of a name such as trustedProxies its own words too. VitePress writes this function out into its pages, so
 * it uses nothing outside of it.
 */
export function wordsOf(text) {
  return text.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}
