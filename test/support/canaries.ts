import { types } from 'node:util';

/**
 * Values that must never be seen outside. Specs all over the suite use them in place of a value of their kind, and everything the
 * suite writes is searched for them. Nothing else looks like them.
 */
export const canaries = {
  /** Passes the Luhn check, and the sandbox accepts it. */
  cardNumber: '2202474301322987',
  /** With a leading zero, as nothing is written that is counted or measured; what is made up of random digits has more of them. */
  csc: '0731',
  cryptogram: 'canary_cryptogram_4f1dQ8zT',
  paymentToken: 'canary_payment_token_W7sL2pXe',
  secretKey: 'canary_secret_key_Zk3vErY7',
  clientSecret: 'canary_client_secret_Hx5wN2',
  accessToken: 'canary_access_token_Rq9mB4k',
  authorizationCode: 'canary_authorization_code_Tj6',
  webhookSecret: 'canary_webhook_secret_Vd8nQ3xLbT5yG2mK',
} as const;

/** Many random texts contain three or four digits: they are the csc only alone or as the field of a card. */
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

/** Which of them a text contains: plain, in hex, or in base64, whatever precedes it there. */
export function canariesIn(text: string): string[] {
  if (!any.test(text)) return [];
  return expressions.flatMap(([name, expression]) => (expression.test(text) ? [name] : []));
}

/**
 * As bytea prints it, and as base64 of either alphabet: the base64 form depends on where in its group of three bytes a text
 * begins.
 */
function encodings(text: string): string[] {
  const aligned = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    // Only the characters that depend on the text alone.
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
