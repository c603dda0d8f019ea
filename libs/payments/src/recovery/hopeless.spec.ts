import {
  ServiceCallAbortedError,
  ServiceCircuitOpenError,
  ServiceCredentialsError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceNetworkError,
  ServiceNotFoundError,
  ServiceRequestInvalidError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
} from '../api/service-errors.js';
import { isHopeless, isOutage } from './hopeless.js';

const details = { request: 'GET /v3/payments' };

describe('a list that was not read', () => {
  it.each([ServiceForbiddenError, ServiceNotFoundError, ServiceRequestInvalidError])(
    'is given up: %o',
    (Refusal) => {
      expect(isHopeless(new Refusal('no', details))).toBe(true);
    },
  );

  it.each([
    ServiceCredentialsError,
    ServiceTooManyRequestsError,
    ServiceCircuitOpenError,
    ServiceFailureError,
    ServiceUnexpectedAnswerError,
  ])('is tried again: %o', (Failure) => {
    expect(isHopeless(new Failure('not now', details))).toBe(false);
  });

  it('is tried again if it was broken off, or the database failed', () => {
    expect(isHopeless(new ServiceCallAbortedError('over', details, 'refused'))).toBe(false);
    expect(isHopeless(new Error('terminating connection'))).toBe(false);
  });

  it.each([
    [ServiceNetworkError, true],
    [ServiceFailureError, true],
    [ServiceTooManyRequestsError, true],
    [ServiceCircuitOpenError, true],
    [ServiceCredentialsError, true],
    [ServiceUnexpectedAnswerError, false],
    [ServiceRequestInvalidError, false],
  ])('was not answered at all: %o, %s', (Failure, expected) => {
    expect(isOutage(new Failure('not now', details))).toBe(expected);
  });

  it('was answered where the database failed afterwards', () => {
    expect(isOutage(new Error('terminating connection'))).toBe(false);
  });
});
