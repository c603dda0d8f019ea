import { formatAmount, type PaymentsModuleOptions } from '@holdfast/payments';
import { ExpressAdapter } from '@nestjs/platform-express';
import { eventually } from '../support/eventually.js';
import { unchanged } from '../support/form-fields.js';
import { itemsAs, startServiceProxy, type Rewrite, type ServiceProxy } from '../support/service-proxy.js';
import { startBoardHost, type BoardHost } from './board-host.js';

const REQUESTED = '234.50';
const MADE = formatAmount(200_00);
const why = 'The service keeps a fee';

/** What was requested is made with less. */
const lower: Rewrite = (object) => {
  const { amount, refunded_amount: refunded } = object;
  const isRequested = (given: unknown) => JSON.stringify(given ?? null).includes(REQUESTED);
  if ('payment_id' in object) return isRequested(amount) ? { ...object, amount: MADE } : object;
  if (isRequested(refunded)) return { ...object, refunded_amount: MADE };
  return itemsAs((item) => [lower(item)])(object);
};

describe('on the board, a refund that the service makes with another sum', () => {
  let board: BoardHost;
  let proxy: ServiceProxy;
  beforeAll(async () => {
    const behindProxy = async (sandboxUrl: string): Promise<Partial<PaymentsModuleOptions>> => {
      proxy = await startServiceProxy(sandboxUrl);
      proxy.rewrite = lower;
      return { serviceUrl: proxy.url, requestTimeoutMs: 1_500, callDeadlineMs: 3_000 };
    };
    board = await startBoardHost(() => new ExpressAdapter(), {}, { payments: ({ url }) => behindProxy(url) });
  });
  afterAll(async () => {
    await board.close();
    await proxy.close();
  });

  const page = async (path: string, staff?: string) => (await board.get(path, staff)).text();

  async function refunded(reference: string) {
    const { id } = await board.paid(reference);
    const typed = { ...unchanged(await page(`payments/${id}/refund`)), amount: REQUESTED, why: 'Came back' };
    const question = await (await board.post(`payments/${id}/refund`, typed)).text();
    expect((await board.post(`payments/${id}/refund`, unchanged(question))).status).toBe(202);
    const shown = await eventually(
      () => page(`payments/${id}`),
      (text) => text.includes('/accept-refund?'),
    );
    const [refund] = await board.host.payments.refunds(id);
    return { id, shown, problem: refund?.id ?? '', path: `payments/${id}/accept-refund` };
  }

  it('is accepted once, by somebody who says why, and its timeline says who', async () => {
    const { id, shown, problem, path } = await refunded('A-1');
    expect(shown).toContain(`${path}?store=`);
    // A page that renews itself leaves the link to its own refund.
    expect(shown).toContain(`<tr id="refund-${problem}">`);
    expect(await page(`payments/${id}`, 'reader')).not.toContain('accept-refund');
    expect((await board.get(`${path}?problem=${problem}`, 'reader')).status).toBe(403);
    expect(await page(`${path}?problem=${id}`)).toContain('This cannot be done now');
    const question = await page(`${path}?problem=${problem}`);
    expect(question).toContain('Accept the refund of 234,50\u{202F}₽ as the service has it?');
    expect(question).toMatch(/What does not fit: refund .* is of 200\.00/);
    const form = { ...unchanged(question), why };
    const refused = [
      await board.post(path, { ...form, why: '' }),
      await board.post(path, form, { 'x-staff': 'reader' }),
      await board.post(path, form, { 'sec-fetch-site': 'cross-site' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 403, 403]);
    expect(await board.host.payments.refunds(id)).toMatchObject([{ status: 'submitting' }]);

    const answers = await Promise.all([board.post(path, form), board.post(path, form)]);
    answers.push(await board.post(path, form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await board.host.payments.refunds(id)).toMatchObject([{ status: 'succeeded', amount: MADE }]);
    expect(await page(`payments/${id}?t=people`)).toContain(
      `Accepts the refund of 234,50\u{202F}₽ as the service has it: ${why}`,
    );
    expect(await page(`payments/${id}?t=money`)).toContain(`by anna: ${why}`);
    expect(await page(`payments/${id}`)).not.toContain('/accept-refund?');
  });

  it('is not accepted by a page that is out of date, nor on the page of another payment', async () => {
    const { id, problem, path } = await refunded('A-2');
    const form = { ...unchanged(await page(`${path}?problem=${problem}`)), why };
    const other = await board.paid('A-3');
    expect((await board.post(`payments/${other.id}/accept-refund`, form)).status).toBe(303);
    await board.host.payments.refund(id, { refundKey: 'meanwhile', amount: formatAmount(100) });
    const stale = await board.post(path, form);
    expect([stale.status, (await stale.text()).includes('out of date')]).toEqual([409, true]);
    const refunds = await board.host.payments.refunds(id);
    expect(refunds.find((refund) => refund.id === problem)).toMatchObject({ status: 'submitting' });
  });

  it('is not booked where the service’s list has no such refund, and says so', async () => {
    const { id, problem, path } = await refunded('A-4');
    const form = { ...unchanged(await page(`${path}?problem=${problem}`)), why };
    proxy.rewrite = itemsAs(() => []);
    const answer = await board.post(path, form);
    proxy.rewrite = lower;
    expect([answer.status, (await answer.text()).includes('That was not done')]).toEqual([422, true]);
    expect(await board.host.payments.refunds(id)).toMatchObject([{ status: 'submitting' }]);
  });
});
