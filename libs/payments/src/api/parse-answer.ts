import { isRecord } from '../common/is-record.js';

/** The text may contain an escaped NUL or half of a surrogate pair; a whole pair is found too and left unchanged. */
const MAY_BE_UNSTORABLE = /\\u(0000|d[89a-f])/i;
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/**
 * The JSON of an answer; undefined if it is none. NUL and half a surrogate pair, which JSON allows and PostgreSQL cannot store,
 * become U+FFFD here: one such text in an unused field would stop its payment for ever.
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
