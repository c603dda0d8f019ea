import { isRecord } from '../common/is-record.js';

/** An escaped NUL or half of a surrogate pair may stand in the text; a whole pair is found too and left as it is. */
const MAY_BE_UNSTORABLE = /\\u(0000|d[89a-f])/i;
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/**
 * The JSON of an answer; undefined where it is none. NUL and half a surrogate pair, which JSON can say and PostgreSQL
 * cannot store, become U+FFFD here: one such text in a field nobody reads would keep its payment from going on for ever.
 */
export function parseAnswer(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    // Escapes are rare, and looking for any is quick.
    return text.includes('\\u') && MAY_BE_UNSTORABLE.test(text) ? storable(body) : body;
  } catch {
    return undefined;
  }
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(UNSTORABLE, '\uFFFD');
  if (Array.isArray(value)) return value.map(storable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [storable(name), storable(field)]));
}
