import { routeAdvice } from './route-advice.js';

const path = '/hooks';

describe('what is said of the webhook’s route', () => {
  it.each([[{ status: 200, isTaken: true }], [{ status: 'unknown', isTaken: false }]] as const)(
    'is nothing after %j',
    (answer) => {
      expect(routeAdvice(path, answer, [])).toBeNull();
    },
  );

  it.each([
    [{ status: 'late', isTaken: false }, /is not answered: .*leave this path alone/],
    [{ status: 200, isTaken: false }, /answered 200 by a guard or middleware .*before the module sees it/],
    [{ status: 401, isTaken: false }, /answered 401 by a guard .*webhookDecorators: \[Public\(\)\]/],
    [{ status: 403, isTaken: false }, /answered 403 by a guard .*webhookDecorators: \[Public\(\)\]/],
    [{ status: 404, isTaken: false }, /answered 404, before .*webhookPath/],
    [
      { status: 415, isTaken: false },
      /answered 415, because it does not arrive as JSON.*protectWebhook\(app\)/,
    ],
    [{ status: 500, isTaken: false }, /answered 500 by a guard or middleware/],
    [{ status: 201, isTaken: true }, /answered 201 once it is stored, by an interceptor or filter/],
  ] as const)('names the path and the fix after %j', (answer, expected) => {
    const advice = routeAdvice(path, answer, []);
    expect(advice).toMatch(/^A notification to \/hooks is /);
    expect(advice).toMatch(expected);
  });

  it('names the global guards where one may be to blame', () => {
    const answer = { status: 401, isTaken: false } as const;
    expect(routeAdvice(path, answer, ['SignedInGuard', 'TenantGuard'])).toMatch(
      / Global guards: SignedInGuard, TenantGuard\.$/,
    );
  });
});
