import { isHarmless, isJsonType } from './body-limits.js';

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

describe('a body', () => {
  it.each<[string, unknown]>([
    ['of a notification', { type: 'notification', object: { id: 'a', metadata: { key: ['b'] } } }],
    ['32 deep', nested(32)],
    ['with a field named constructor', JSON.parse('{"constructor": "Ivan"}')],
    ['with an object named constructor', JSON.parse('{"constructor": {"name": "Ivan"}}')],
    ['with a value of __proto__', { key: '__proto__' }],
  ])('%s is accepted', (_what, body) => expect(isHarmless(body)).toBe(true));

  it.each<[string, unknown]>([
    ['33 deep', nested(33)],
    ['100,000 deep', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['with a __proto__', JSON.parse('{"__proto__": {"admin": true}}')],
    ['with a __proto__ that is no object', JSON.parse('{"__proto__": 1}')],
    ['with a __proto__ deep inside', JSON.parse('{"object": {"list": [{"__proto__": null}]}}')],
    ['with an escaped __proto__', JSON.parse('{"\\u005f_proto__": {}}')],
    ['with the prototype of a constructor', JSON.parse('{"constructor": {"prototype": {}}}')],
  ])('%s may not', (_what, body) => expect(isHarmless(body)).toBe(false));
});

describe('a content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset = utf-8 ;',
    `application/json; charset=utf-8${' '.repeat(30)}`,
  ])('%s is JSON', (type) => expect(isJsonType(type)).toBe(true));

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/json5',
    'application/jsonx',
    'application/json; charset=utf-7',
    'application/json; charset=utf-8; charset=utf-7',
    'application/json; charset=utf-8=',
    'application/json; charset',
    'application/json; boundary=utf-8',
    'application/json; =utf-8',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
  ])('%s is not', (type) => expect(isJsonType(type)).toBe(false));

  it('is not read if it is longer than any that means JSON', () => {
    const type = 'application/json; charset=utf-8';
    expect(isJsonType(type.padEnd(64))).toBe(true);
    expect(isJsonType(type.padEnd(65))).toBe(false);
  });
});
