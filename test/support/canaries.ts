import { types } from 'node:util';

/**
 * What must never be seen outside: every one is used by specs all over the suite in place of a value of its kind, and is
 * searched for in all that the suite writes. Nothing else looks like them.
 */
export const canaries = {
  /** Passes the Luhn check, and the sandbox takes it. */
  cardNumber: '2202474301322987',
  /** With a zero in front, as no port, process id or amount is written. */
  csc: '0731',
  cryptogram: 'canary_cryptogram_4f1dQ8zT',
  secretKey: 'canary_secret_key_Zk3vErY7',
  clientSecret: 'canary_client_secret_Hx5wN2',
  accessToken: 'canary_access_token_Rq9mB4k',
  authorizationCode: 'canary_authorization_code_Tj6',
} as const;

export type CanaryName = keyof typeof canaries;

/** Three digits or four stand in many a random text: alone or as the field of a card they are the csc. */
const CSC = String.raw`(?<![\w.:+-])${canaries.csc}(?![\w.:-])`;

const patterns = Object.entries(canaries).map(([name, value]): [name: string, pattern: string] => {
  const plain = name === 'csc' ? CSC : value;
  const encoded = name === 'csc' ? `"csc":"${value}` : value;
  return [name, [plain, ...encodings(encoded)].map((text) => `(?:${text})`).join('|')];
});
const expressions = patterns.map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/** Any of them, in the syntax that JavaScript and PostgreSQL share. */
export const anyCanary = patterns.map(([, pattern]) => pattern).join('|');
const any = new RegExp(anyCanary);

/** Which of them a text contains: plain, in hex, or in base64, whatever stands before it there. */
export function canariesIn(text: string): string[] {
  if (!any.test(text)) return [];
  return expressions.flatMap(([name, expression]) => (expression.test(text) ? [name] : []));
}

/** As bytea prints it, and as base64 of either alphabet: where in its group of three bytes a text begins decides how it reads. */
function encodings(text: string): string[] {
  const aligned = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    // Only the characters that the text alone decides.
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const either = aligned.map((part) => part.replaceAll('+', '[+-]').replaceAll('/', '[/_]'));
  return [Buffer.from(text).toString('hex'), ...either];
}

/** Which of them can be reached from a value: through every own property, hidden ones too, at any depth. */
export function canariesWithin(root: unknown): string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') for (const name of canariesIn(value)) found.add(name);
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    open.push(...partsOf(value));
  }
  return [...found];
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function partsOf(value: object): unknown[] {
  if (ArrayBuffer.isView(value))
    return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')];
  const own = Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    return [String(key), descriptor?.value];
  });
  // Also those of another realm: Node's own are.
  if (types.isMap(value)) own.push(...value.keys(), ...value.values());
  if (types.isSet(value)) own.push(...value.values());
  return own;
}
