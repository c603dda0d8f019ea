import { AxiosError, AxiosHeaders } from 'axios';
import { inspect } from 'node:util';
import { parseHttpDate, sendSafely, UnansweredError } from './safe-request.js';

describe('the Date of an answer', () => {
  it('is read to the second', () => {
    expect(parseHttpDate('Tue, 01 Jan 2030 12:34:56 GMT')).toEqual(new Date('2030-01-01T12:34:56.000Z'));
  });

  it.each<[unknown]>([
    [undefined],
    [''],
    ['1'],
    ['2030-01-01T12:34:56Z'],
    ['Tue, 01 Jan 2030 12:34:56 +0300'],
    ['Tue, 01 Xxx 2030 12:34:56 GMT'],
    ['Tue, 01 Jan 2030 25:34:56 GMT'],
    [['Tue, 01 Jan 2030 12:34:56 GMT']],
  ])('%j is no date', (header) => expect(parseHttpDate(header)).toBeNull());
});

it('a request that fails throws nothing of what was sent', async () => {
  const headers = new AxiosHeaders({ Authorization: 'Basic a-secret' });
  const config = { headers, data: 'a body' };
  const http = { request: () => Promise.reject(new AxiosError('reset', 'ECONNRESET', config)) };
  const request = {
    baseURL: 'http://localhost',
    path: '/',
    method: 'GET',
    headers: {},
    maxAnswerBytes: 1,
  } as const;
  const error: unknown = await sendSafely(http, request, { timeoutMs: 60_000 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toEqual(new UnansweredError('ECONNRESET'));
  expect(inspect(error, { depth: null })).not.toMatch(/a-secret|a body/);
});
