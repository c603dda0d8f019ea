import { startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

describe('the board of the shop', () => {
  let test: TestShop;
  beforeAll(async () => {
    test = await startTestShop();
  });
  afterAll(() => test.close());

  it('is led to from the desk, and shown to the staff alone', async () => {
    const staff = new Staff(test.shop.url);
    expect(await staff.read('/staff')).toContain('href="/staff/payments/overview"');
    expect(await staff.read('/staff/payments/overview')).toContain('Nothing needs a person');
    const stranger = await fetch(`${test.shop.url}/staff/payments/overview`);
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.not.stringContaining('Overview')]);
    const wrong = await new Staff(test.shop.url, 'guessed').open('/staff/payments/board.css');
    expect(wrong.status).toBe(401);
  });

  it('keeps its own policy, which lets no script run', async () => {
    const page = await new Staff(test.shop.url).open('/staff/payments/payments');
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  });
});
