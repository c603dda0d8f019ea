import * as fc from 'fast-check';
import { errorFromAnswer, type FailedAnswer } from './refusal.js';
import { ServiceError } from './service-errors.js';

const request = 'POST /v3/payments';
const errorOf = (httpStatus: number, body: unknown, rest: Partial<FailedAnswer> = {}): ServiceError =>
  errorFromAnswer({ httpStatus, body, ...rest }, { request });

describe('a store without the right to charge again', () => {
  const description = "This store can't make recurring payments. Contact the manager to learn more";

  it.each<[string, number, object, string]>([
    ['is named', 403, { code: 'forbidden', description }, 'service_recurring_not_allowed'],
    [
      'is named with another apostrophe',
      403,
      { code: 'forbidden', description: description.replace("'", '’') },
      'service_recurring_not_allowed',
    ],
    ['is not guessed from other words', 403, { code: 'forbidden', description: 'No' }, 'service_forbidden'],
    ['is not guessed from no words', 403, { code: 'forbidden' }, 'service_forbidden'],
    ['is no other refusal', 400, { code: 'invalid_request', description }, 'service_request_invalid'],
    ['is no refusal of a proxy', 403, { description }, 'service_unexpected_answer'],
  ])('%s', (_name, httpStatus, body, code) => {
    expect(errorOf(httpStatus, body)).toMatchObject({ code });
  });
});

describe('an answer that is not 200', () => {
  it('has an error of one line, whatever the service says', () => {
    const description = 'no\n[Nest] 1  - LOG All is well\u001B[2J\u202E';
    const error = errorOf(400, { code: 'why\r\n', description, parameter: 'a\u009B1m', id: '1\u2028' });
    expect(`${error.message}${JSON.stringify(error.details)}`).not.toMatch(/\p{C}|\p{Zl}/u);
    expect(error.message).toContain(
      String.raw`why\r\n no\n[Nest] 1  - LOG All is well\u001b[2J\u202e (a\u009b1m)`,
    );
  });

  it.each<[number, string, 'refused' | 'unknown', boolean]>([
    [400, 'service_request_invalid', 'refused', false],
    [401, 'service_credentials', 'refused', false],
    [403, 'service_forbidden', 'refused', false],
    [404, 'service_not_found', 'refused', false],
    [405, 'service_request_invalid', 'refused', false],
    [415, 'service_request_invalid', 'refused', false],
    [429, 'service_too_many_requests', 'refused', true],
    [500, 'service_failure', 'unknown', true],
    [502, 'service_failure', 'unknown', true],
    [503, 'service_failure', 'unknown', true],
    [504, 'service_failure', 'unknown', true],
    [599, 'service_failure', 'unknown', true],
    [202, 'service_failure', 'unknown', true],
    [201, 'service_unexpected_answer', 'unknown', true],
    [204, 'service_unexpected_answer', 'unknown', true],
    [301, 'service_unexpected_answer', 'unknown', true],
    [302, 'service_unexpected_answer', 'unknown', true],
    [307, 'service_unexpected_answer', 'unknown', true],
    [399, 'service_unexpected_answer', 'unknown', true],
  ])('of %i is %s: %s, may help when sent again: %s', (httpStatus, code, outcome, retryable) => {
    const error = errorOf(httpStatus, { type: 'error', code: 'why' });
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code, outcome, retryable });
    expect(error.message).toMatch(new RegExp(`^${request}: HTTP ${httpStatus} why\\. [A-Z].*\\.$`));
    expect(error.name).toBe(error.constructor.name);
  });

  it.each([400, 401, 403, 404])(
    "of %i without the service's own error body refuses nothing",
    (httpStatus) => {
      for (const body of [null, {}, { code: 1 }, undefined, 'Forbidden by the firewall']) {
        expect(errorOf(httpStatus, body)).toMatchObject({
          code: 'service_unexpected_answer',
          outcome: 'unknown',
        });
      }
    },
  );

  it.each([405, 415, 429])('of %i needs no body to be a refusal', (httpStatus) => {
    expect(errorOf(httpStatus, null).outcome).toBe('refused');
  });

  it('reports what the service said, and under which key', () => {
    const body = {
      type: 'error',
      id: 'e-1',
      code: 'invalid_request',
      description: 'Idempotence key duplicated',
      parameter: 'Idempotence-Key',
      retry_after: 1_800,
    };
    const error = errorFromAnswer({ httpStatus: 400, body }, { request, idempotenceKey: 'key-1' });
    expect(error.details).toEqual({
      request,
      httpStatus: 400,
      serviceCode: 'invalid_request',
      description: 'Idempotence key duplicated',
      parameter: 'Idempotence-Key',
      requestId: 'e-1',
      idempotenceKey: 'key-1',
      retryAfterMs: 1_800,
    });
    expect(error.message).toBe(
      'POST /v3/payments: HTTP 400 invalid_request Idempotence key duplicated (Idempotence-Key). ' +
        'Another request was sent under this key: find what it made before sending this one under a new key.',
    );
    expect(error).toMatchObject({ code: 'service_key_reused', outcome: 'refused' });
  });

  it.each<[string, object, string]>([
    ['a code alone', { code: 'forbidden' }, 'HTTP 403 forbidden'],
    ['a description alone', { description: 'No right' }, 'HTTP 403 No right'],
    ['a parameter alone', { parameter: 'amount' }, 'HTTP 403 (amount)'],
    ['an empty code', { code: '' }, 'HTTP 403'],
  ])('with %s is reported in its words', (_name, body, message) => {
    expect(errorOf(403, body).message).toContain(`${request}: ${message}. `);
  });

  it.each<[string, unknown]>([
    ['no body', undefined],
    ['null', null],
    ['a text', '<html>Bad gateway</html>'],
    ['a number', 5],
    ['a list', [{ code: 'invalid_request' }]],
    ['an empty object', {}],
    ['fields of other types', { id: 1, code: {}, description: ['a'], parameter: null, retry_after: '5' }],
    ['a wait below zero', { retry_after: -1 }],
    ['fields in its prototype', JSON.parse('{"__proto__":{"code":"invalid_request","retry_after":5}}')],
  ])('with %s is reported by its status only', (_name, body) => {
    const error = errorOf(500, body);
    expect(error.details).toEqual({ request, httpStatus: 500 });
    expect(error.message).toContain(`${request}: HTTP 500. `);
  });

  it.each<[string, unknown, number | undefined]>([
    ['2', undefined, 2_000],
    ['0', undefined, 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined, 0],
    ['2', 5, 5],
    ['soon', undefined, undefined],
    ['-1', undefined, undefined],
    ['', undefined, undefined],
  ])('with Retry-After %j and retry_after %j asks to wait %j ms', (header, inBody, waitMs) => {
    const error = errorOf(503, { retry_after: inBody }, { retryAfter: header });
    expect(error.details.retryAfterMs).toBe(waitMs);
  });

  it('with Retry-After as a date asks to wait until then', () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const { retryAfterMs } = errorOf(429, null, { retryAfter: inAnHour }).details;
    expect(retryAfterMs).toBeGreaterThan(3_500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  it.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111', '41111111-11111111'])(
    'that repeats a card number in any of its fields shows none: %s',
    (number) => {
      const text = `Bad card ${number}!`;
      const error = errorOf(400, { id: text, code: text, description: text, parameter: text });
      const { serviceCode, description, parameter, requestId } = error.details;
      for (const shown of [serviceCode, description, parameter, requestId])
        expect(shown).toBe('Bad card [redacted]!');
      expect(error.message).not.toContain('1111');
    },
  );

  it.each(['4111%201111%201111%201111', '4111+1111+1111+1111', '%34%31%31%31111111111111'])(
    'is searched for card numbers that are encoded as in an address: %s',
    (number) => {
      const { details, message } = errorOf(400, {
        code: 'invalid_request',
        parameter: `card.number=${number}`,
      });
      expect(details.parameter).toBe('card.number=[redacted]');
      expect(message).not.toContain('1111');
    },
  );

  it('is searched for card numbers before it is cut', () => {
    const description = `${'x'.repeat(485)} 4111111111111111`;
    expect(errorOf(400, { code: 'invalid_request', description }).details.description).not.toContain('4111');
  });

  it('may ask for no wait at all', () => {
    expect(errorOf(429, { retry_after: 0 }).details.retryAfterMs).toBe(0);
  });

  it('is cut to 500 characters a field, however much the service says', () => {
    const long = 'x'.repeat(100_000);
    const { details, message } = errorOf(400, {
      id: long,
      code: long,
      description: long,
      parameter: long,
    });
    const { serviceCode, description, parameter, requestId } = details;
    expect([serviceCode, description, parameter, requestId].map((text) => text?.length)).toEqual([
      500, 500, 500, 500,
    ]);
    expect(message.length).toBeLessThan(1_600);
  });

  it('is a ServiceError whatever its status and body', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), fc.jsonValue(), (httpStatus, body) => {
        expect(errorOf(httpStatus, body)).toBeInstanceOf(ServiceError);
        const error = errorOf(httpStatus, { code: 'why', body });
        // A refusal is definite: only a status the service is known to refuse with is one.
        expect(error.outcome).toBe(
          [400, 401, 403, 404, 405, 415, 429].includes(httpStatus) ? 'refused' : 'unknown',
        );
      }),
    );
  });
});
