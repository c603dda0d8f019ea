import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { format, inspect } from 'node:util';
import { Secret } from './secret.js';

const CLEAR = 'live_Zk3vErYsEcReT';
const secret = new Secret(CLEAR);
const holder = {
  shopId: 'test_shop',
  nested: { secretKey: secret },
  list: [secret],
  map: new Map([['key', secret]]),
};

function logged(...values: unknown[]): string {
  const written: string[] = [];
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  new Console(stdout).log(...values);
  return written.join('');
}

class Failure extends Error {
  constructor(readonly credentials: object) {
    super(`failed with ${String(secret)}`);
  }
}

describe('a secret', () => {
  it('is revealed only on request', () => expect(secret.reveal()).toBe(CLEAR));

  it.each<[string, () => string]>([
    ['String()', () => String(secret)],
    ['toString', () => secret.toString()],
    ['JSON', () => JSON.stringify(secret)],
    ['inspect', () => inspect(secret)],
    ['console.log', () => logged(secret)],
    ['console.log of %s', () => logged('%s', secret)],
  ])('is [redacted] in %s', (_name, print) => {
    expect(print()).toContain('[redacted]');
    expect(print()).not.toContain(CLEAR);
  });

  it.each<[string, () => string]>([
    ['JSON', () => JSON.stringify(holder)],
    ['inspect at full depth', () => inspect(holder, { depth: Infinity, showHidden: true, getters: true })],
    [
      'inspect that heeds no custom printing',
      () => inspect(holder, { depth: Infinity, showHidden: true, getters: true, customInspect: false }),
    ],
    ['console.log', () => logged(holder)],
    ['format', () => format('%o %O %j %s', holder, holder, holder, holder)],
    ['an error that carries it', () => inspect(new Failure(holder), { depth: Infinity, showHidden: true })],
    [
      'a copy of its properties',
      () => inspect(Object.assign({}, secret, Object.getOwnPropertyDescriptors(secret))),
    ],
    ['a structured clone', () => inspect(structuredClone(secret))],
    ['its keys', () => Reflect.ownKeys(secret).map(String).join()],
  ])('does not show inside an object in %s', (_name, print) => {
    expect(print()).not.toContain(CLEAR);
  });
});
