/** What a terminal, a log or a page obeys and does not show: controls, breaks of lines, marks that steer or hide what is around them. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

/** The text in one line, with an escape in place of each character that would be obeyed. */
export function shown(text: string): string {
  return text.replace(OBEYED, escapeOf);
}

/**
 * A text of several lines, likewise. No line but the first begins at the margin: whoever can put a line break into a text could forge a whole
 * entry of a log.
 */
export function shownLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line, place) => (place === 0 || /^\s/.test(line) ? shown(line) : `    ${shown(line)}`))
    .join('\n');
}

/** In JSON, where such characters stand within strings alone: what JSON.stringify leaves of them. */
export function shownJson(json: string): string {
  return json.replace(OBEYED, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function escapeOf(character: string): string {
  return SHORT[character] ?? unicodeEscape(character);
}

/** As JavaScript and JSON write it: each half of a pair by itself. */
function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_none, at) =>
    String.raw`\u`.concat(character.charCodeAt(at).toString(16).padStart(4, '0')),
  ).join('');
}
