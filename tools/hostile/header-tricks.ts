import type { Dice } from '../common/dice.js';
import type { Verdict } from './bodies.js';

/** A request's parts, before and after a trick. */
export interface Parts {
  readonly method: string;
  readonly path: string;
  readonly version: string;
  readonly contentType: string;
  readonly length: string;
  readonly extra: readonly string[];
}

type Trick = [what: string, verdict: Verdict, play: (dice: Dice, bytes: number) => Partial<Parts>];

const extra = (...lines: string[]): Trick[2] => {
  return () => ({ extra: lines });
};
const type = (value: string): Trick[2] => {
  return () => ({ contentType: `Content-Type: ${value}` });
};
const length = (write: (bytes: number) => string): Trick[2] => {
  return (_dice, bytes) => ({ length: write(bytes) });
};

/** Verdicts for a genuine sender with a whole body; every other sender is refused. */
const tricks: Trick[] = [
  // The body's type and coding.
  ['JSON in UTF-8, said so', 'accepted', type('application/json; charset=utf-8')],
  ['no content type', 'refused', () => ({ contentType: 'X-None: 1' })],
  ['text', 'refused', type('text/plain')],
  ['a form', 'refused', type('application/x-www-form-urlencoded')],
  ['a form in parts', 'refused', type('multipart/form-data; boundary=x')],
  ['another charset', 'refused', type('application/json; charset=utf-7')],
  ['JSON of another kind', 'refused', type('application/vnd.api+json')],
  ['a type that never ends', 'refused', type(`application/json;${' '.repeat(4_000)}x`)],
  ['a type with a gap', 'refused', type(`application/json; charset=utf-8${' '.repeat(14_000)}x`)],
  ['gzip', 'refused', extra('Content-Encoding: gzip')],
  ['two codings', 'refused', extra('Content-Encoding: br, deflate')],
  ['an unknown coding', 'refused', extra('Content-Encoding: x')],
  // Where the body ends.
  ['two lengths', 'refused', length((bytes) => `Content-Length: ${bytes}\r\nContent-Length: ${bytes + 1}`)],
  ['a length below zero', 'refused', length(() => 'Content-Length: -1')],
  ['a length with a sign', 'refused', length((bytes) => `Content-Length: +${bytes}`)],
  ['a length in hex', 'refused', length((bytes) => `Content-Length: 0x${bytes.toString(16)}`)],
  ['a length beyond all numbers', 'refused', length(() => `Content-Length: ${'9'.repeat(30)}`)],
  ['too large a length', 'refused', length(() => 'Content-Length: 1000000000')],
  [
    'too small a length',
    'refused',
    length((bytes) => `Content-Length: ${Math.min(40, Math.floor(bytes / 2))}`),
  ],
  ['a length and pieces', 'refused', extra('Transfer-Encoding: chunked')],
  ['pieces that are none', 'refused', length(() => 'Transfer-Encoding: chunked')],
  ['pieces by another name', 'refused', length(() => 'Transfer-Encoding: xchunked')],
  ['pieces, then another coding', 'refused', length(() => 'Transfer-Encoding: chunked, identity')],
  [
    'pieces after a blank',
    'refused',
    length((bytes) => `Content-Length: ${bytes}\r\nTransfer-Encoding : chunked`),
  ],
  // The head itself.
  ['a folded header', 'refused', extra('X-A: 1\r\n 2')],
  ['a zero byte in a header', 'refused', extra('X-A: \0')],
  ['a bare line feed', 'either', extra('X-A: 1\nX-B: 2')],
  ['a bare carriage return', 'refused', extra('X-A: 1\rX-B: 2')],
  ['a header without a name', 'refused', extra(': x')],
  ['a line that is no header', 'refused', extra('no header')],
  ['a header too large', 'refused', extra(`X-A: ${'x'.repeat(20_000)}`)],
  ['headers by the hundred', 'either', extra(...Array.from({ length: 600 }, (_, index) => `X-${index}: y`))],
  [
    'names of objects',
    'accepted',
    extra('__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: 1'),
  ],
  ['two hosts', 'either', extra('Host: evil.example')],
  ['a cookie', 'accepted', extra(`Cookie: ${'a=b; '.repeat(200)}`)],
  ['credentials', 'accepted', extra('Authorization: Basic YWRtaW46YWRtaW4=')],
  ['another origin', 'accepted', extra('Origin: https://evil.example', 'Referer: https://evil.example')],
  ['what is expected cannot be', 'refused', extra('Expect: the unexpected')],
  ['an upgrade', 'either', extra('Connection: Upgrade', 'Upgrade: websocket')],
  ['an end of the connection', 'either', extra('Connection: close')],
  ['ranges and conditions', 'accepted', extra('Range: bytes=0-', 'If-Match: *', 'If-None-Match: *')],
  // Headers that frameworks elsewhere obey.
  ['another method by header', 'accepted', extra('X-HTTP-Method-Override: DELETE')],
  ['another path by header', 'accepted', extra('X-Original-URL: /admin', 'X-Rewrite-URL: /admin')],
  ['another host by header', 'accepted', extra('X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: ftp')],
  // The request line.
  [
    'another method',
    'refused',
    (dice) => ({ method: dice.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) }),
  ],
  [
    'an invalid method',
    'refused',
    (dice) => ({ method: dice.pick(['post', 'PO ST', 'X', 'TRACK', 'DEBUG']) }),
  ],
  [
    'another version',
    'either',
    (dice) => ({ version: dice.pick(['HTTP/2.0', 'HTTP/9.9', 'HTTP/x', 'HTTPS/1.1', '']) }),
  ],
  [
    'a path with another end',
    'either',
    (dice) => ({
      path: `/webhooks/payments${dice.pick(['/', '?a=1', '?__proto__[a]=1', '#x', ';x', '%00', '//', '/.'])}`,
    }),
  ],
  [
    'another spelling of the path',
    'either',
    (dice) => ({
      path: dice.pick([
        '/WEBHOOKS/payments',
        '/%77ebhooks/payments',
        '//webhooks/payments',
        '/x/../webhooks/payments',
        'http://x/webhooks/payments',
      ]),
    }),
  ],
  [
    'another path',
    'refused',
    (dice) => ({
      path: dice.pick([
        '/',
        '/webhooks',
        '/webhooks/payments/../../etc/passwd',
        '/webhooks/payments%2f..',
        '/%ff',
        '/%',
        '*',
        'x',
        '/webhooks/refunds',
        '//evil.example/x',
      ]),
    }),
  ],
  ['a path of slashes', 'refused', () => ({ path: `${'/'.repeat(14_000)}x` })],
  ['a path too long', 'refused', () => ({ path: `/webhooks/payments/${'x'.repeat(20_000)}` })],
];

export function headerTrick(
  dice: Dice,
  bytes: number,
): { what: string; verdict: Verdict; parts: Partial<Parts> } {
  const [what, verdict, play] = dice.pick(tricks);
  return { what, verdict, parts: play(dice, bytes) };
}
