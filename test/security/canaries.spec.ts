import { Logger } from '@nestjs/common';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { canaries, canariesIn } from '../support/canaries.js';
import { mustHaveShownNothing, takeLeaks, watchedHooks } from '../support/canary-watch.js';
import { canariesInDatabase, createTestDatabase } from '../support/database.js';

const each = Object.entries(canaries);
const secret = canaries.secretKey;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a canary', () => {
  it.each(each)('is found in a text: %s', (name, value) => {
    const body = JSON.stringify({ csc: '000', [name]: value });
    expect(canariesIn(body)).toEqual([name]);
    for (const before of ['', 'x', 'xx']) {
      expect(canariesIn(base64(before + body))).toEqual([name]);
      expect(canariesIn(Buffer.from(`${before}ÿ${body}`).toString('base64url'))).toEqual([name]);
    }
    expect(canariesIn(Buffer.from(body).toString('hex'))).toEqual([name]);
  });

  it('is found in the header of a request', () => {
    expect(canariesIn(`Basic ${base64(`test_shop:${secret}`)}`)).toEqual(['secretKey']);
  });

  it.each([
    '0f2a1b3c-0731-4000-8000-0731aabbccdd',
    '12:07:31.0731',
    '107310',
    'http://127.0.0.1:40731/',
    '2030-07-31T00:00:00+07:31',
  ])('is not what looks like it: %s', (text) => expect(canariesIn(text)).toEqual([]));
});

describe('a leak planted in', () => {
  it.each<[string, () => unknown, string]>([
    ['a line on the console', () => console.warn('key %s', secret), 'console.warn'],
    ['a log line', () => new Logger('Planted').error(`Bearer ${canaries.accessToken}`), 'stderr'],
    ['what is written out', () => process.stdout.write(`${base64(`a:${secret}`)}\n`), 'stdout'],
    ['an error’s words', () => new Error(`No such key: ${secret}`), 'an error: Error'],
    ['an error’s code', () => Object.assign(new TypeError('x'), { code: secret }), 'an error: TypeError'],
    [
      'the cause of a cause',
      () => new Error('x', { cause: new RangeError('y', { cause: { deep: [{ secret }] } }) }),
      'an error: Error',
    ],
    [
      'a hidden property',
      () =>
        Object.defineProperty(new Error('x'), 'config', { value: { headers: secret }, enumerable: false }),
      'an error: Error',
    ],
    [
      'a map',
      () => Object.assign(new Error('x'), { headers: new Map([['key', secret]]) }),
      'an error: Error',
    ],
    ['bytes', () => Object.assign(new Error('x'), { body: Buffer.from(secret) }), 'an error: Error'],
    [
      'a metric',
      () =>
        watchedHooks.onAnswer({
          operation: 'fetchStore',
          method: 'GET',
          path: `/v3/me?token=${canaries.accessToken}`,
          store: null,
          attempt: 1,
          idempotenceKey: null,
          httpStatus: 200,
          durationMs: 1,
        }),
      'a metric',
    ],
  ])('%s is found, and fails its test', (_name, plant, channel) => {
    plant();
    const leaks = takeLeaks();
    expect(leaks).toContainEqual(expect.stringMatching(new RegExp(` in ${channel}$`)));
    plant();
    expect(() => mustHaveShownNothing()).toThrow(`in ${channel}`);
    expect(() => mustHaveShownNothing()).not.toThrow();
  });

  it.each(['stdout', 'stderr'])('a child process’s %s is found, also in two parts', async (stream) => {
    const half = Math.floor(secret.length / 2);
    const [first, second] = [secret.slice(0, half), secret.slice(half)];
    const program = `process.${stream}.write('${first}', () => setTimeout(() => process.${stream}.write('${second}'), 50))`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    await once(child, 'close');
    expect(takeLeaks()).toEqual(['secretKey in what a child process printed']);
  });

  it('any column of any table is found when its database is dropped, and the drop fails', async () => {
    const database = await createTestDatabase();
    const number = canaries.cardNumber;
    const columns: Record<string, string> = {
      text: `'${number}'`,
      json: `jsonb_build_object('card', jsonb_build_object('number', '${number}'))`,
      bytes: `'${number}'::bytea`,
      base64: `encode('x${number}'::bytea, 'base64')`,
      number: `${number}::bigint`,
      list: `ARRAY['a', '${number}']`,
    };
    const client = new Client(database.url);
    await client.connect();
    await client.query('CREATE SCHEMA "Odd"');
    for (const [name, value] of Object.entries(columns))
      await client.query(`CREATE TABLE "Odd"."In ${name}" AS SELECT ${value} AS planted`);
    await client.end();
    const found = Object.keys(columns).map((name) => `cardNumber in "Odd"."In ${name}"`);
    expect((await canariesInDatabase(database.url)).toSorted()).toEqual(found.toSorted());
    await expect(database.drop()).rejects.toThrow(/^Secrets stand in the database: cardNumber in "Odd"/);
    await expect(canariesInDatabase(database.url)).rejects.toThrow(/does not exist/);
  });
});
