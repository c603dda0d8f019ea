import { yookassaProfile, type ReceiptInput } from '@holdfast/payments';
import { ExpressAdapter } from '@nestjs/platform-express';
import { eventually } from '../support/eventually.js';
import { unchanged } from '../support/form-fields.js';
import { cupAndSpoon, customer, rub } from '../support/receipts.js';
import { startBoardHost, type BoardHost } from './board-host.js';

const NBSP = '\u{202F}';
const item = { description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 } as const;
const prepaid: ReceiptInput = { customer, items: [{ ...item, paymentMode: 'full_prepayment' }] };

describe('on the board, a payment with a receipt', () => {
  let board: BoardHost;
  beforeAll(async () => {
    board = await startBoardHost(
      () => new ExpressAdapter(),
      {},
      {
        sandbox: { profile: 'yookassa', receipts: { scenario: 'with_payment', provider: 'atol' } },
        payments: {
          profile: yookassaProfile,
          fiscalization: { register: 'third_party' },
          holds: { policy: 'cancel' },
        },
      },
    );
  });
  afterAll(() => board.close());

  const page = async (path: string, staff?: string) => (await board.get(path, staff)).text();
  const paid = (reference: string, receipt: ReceiptInput = cupAndSpoon, capture?: false) =>
    board.paid(reference, { value: '100.00', receipt, ...(capture === false && { capture }) });
  const timeline = async (id: string) => page(`payments/${id}?t=people`);

  it('is refunded by pieces, once, with a receipt of them', async () => {
    const { id } = await paid('R-1');
    const asked = await page(`payments/${id}/refund?by=pieces`);
    expect(asked).toContain('Refund pieces of order R-1?');
    expect(asked).toContain('1 left at');
    const typed = { ...unchanged(asked), pieces1: '1', why: 'Came without it' };
    const question = await (await board.post(`payments/${id}/refund`, typed)).text();
    expect(question).toContain(`Refund 60,00${NBSP}₽ for 1 × Spoon?`);
    expect(question).toContain('The reason: Came without it');
    expect(await board.host.payments.refunds(id)).toEqual([]);
    const form = unchanged(question);
    expect(form).toMatchObject({ ...typed, sum: '60.00' });
    const answers = await Promise.all([
      board.post(`payments/${id}/refund`, form),
      board.post(`payments/${id}/refund`, form),
    ]);
    answers.push(await board.post(`payments/${id}/refund`, form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const refunds = await board.host.payments.refunds(id);
    expect(refunds.map(({ amount, receiptStatus }) => [amount.value, receiptStatus !== null])).toEqual([
      ['60.00', true],
    ]);
    expect(await timeline(id)).toContain('Refunds 1 × Spoon: Came without it');
    const rest = await page(`payments/${id}/refund?by=pieces`);
    expect(rest).toContain('name="pieces0"');
    expect(rest).not.toContain('name="pieces1"');
  });

  it('is refunded by pieces at what they are worth by now, and asks again where the page said another sum', async () => {
    const { id } = await paid('R-5');
    const receiptOf = (await board.operator.paidGoods(id))?.receipt ?? cupAndSpoon;
    await board.host.payments.refund(id, { refundKey: 'part', receiptOf, amount: rub('10.00') });
    const typed = {
      ...unchanged(await page(`payments/${id}/refund?by=pieces`)),
      pieces1: '1',
      why: 'Came back',
    };
    const said = await board.post(`payments/${id}/refund`, { ...typed, sum: '60.00' });
    const question = await said.text();
    expect([said.status, question.includes(`Refund 54,00${NBSP}₽ for 1 × Spoon?`)]).toEqual([200, true]);
    await board.post(`payments/${id}/refund`, unchanged(question));
    const refunds = await board.host.payments.refunds(id);
    expect(refunds.map(({ amount }) => amount.value)).toEqual(['10.00', '54.00']);
  });

  it.each([
    ['none', {}, 'Say how many'],
    ['more than are left', { pieces0: '2' }, 'At most 1 of “Cup”'],
    ['no number', { pieces0: 'one' }, 'How many of “Cup”?'],
  ])('is not refunded by pieces where there are %s', async (_what, pieces, fault) => {
    const { id } = await paid(`R-2 ${fault}`);
    const form = {
      ...unchanged(await page(`payments/${id}/refund?by=pieces`)),
      by: 'pieces',
      why: 'because',
      ...pieces,
    };
    const answer = await board.post(`payments/${id}/refund`, form);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(fault);
    expect(await board.host.payments.refunds(id)).toEqual([]);
  });

  it('is refunded by a sum, and captured in part, with the receipt of that part', async () => {
    const { id } = await paid('R-3');
    const asked = await page(`payments/${id}/refund`);
    const wanted = { ...unchanged(asked), amount: '10', why: 'late' };
    const question = await (await board.post(`payments/${id}/refund`, wanted)).text();
    expect(question).toContain('with a receipt that takes the sum off all that is left, in proportion');
    await board.post(`payments/${id}/refund`, unchanged(question));
    const [refund] = await board.host.payments.refunds(id);
    expect(refund).toMatchObject({ amount: rub('10.00'), receiptStatus: expect.any(String) });
    const held = await paid('R-4', cupAndSpoon, false);
    const form = unchanged(await page(`payments/${held.id}/capture`));
    const half = await board.post(`payments/${held.id}/capture`, { ...form, amount: '50', why: 'half' });
    await board.post(`payments/${held.id}/capture`, unchanged(await half.text()));
    expect(await board.host.payments.get(held.id)).toMatchObject({ capturedAmount: rub('50.00') });
  });

  it('that was paid in advance is handed over, once, from the list of those', async () => {
    const { id } = await paid('P-1', prepaid);
    const list = await page('receipts?tab=prepaid');
    expect(list).toContain(`href="payments/${id}/hand-over?store=`);
    expect(await page('receipts?tab=prepaid', 'reader')).not.toContain('hand-over');
    const asked = await page(`payments/${id}/hand-over`);
    expect(asked).toContain(`Hand over what was paid in advance, 100,00${NBSP}₽?`);
    const form: Readonly<Record<string, string>> = { ...unchanged(asked), why: 'The buyer came' };
    const answers = await Promise.all([
      board.post(`payments/${id}/hand-over`, form),
      board.post(`payments/${id}/hand-over`, form),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await board.host.payments.receipts.list(id)).toMatchObject([
      { receiptKey: form['key'], type: 'payment', amount: rub('100.00') },
    ]);
    expect(await timeline(id)).toContain('Hands over what was paid in advance: The buyer came');
    const over = await eventually(
      async () => {
        await board.sandbox.clock.advance(60_000);
        return board.operator.inspect(id);
      },
      ({ unsettled }) => unsettled === null,
    );
    expect(over.receipts).toHaveLength(1);
    expect(await page(`payments/${id}/hand-over`)).toContain('This cannot be done now');
  });

  const failed = async (reference: string) => {
    const { id } = await paid(reference, prepaid);
    board.sandbox.receipts.next({ status: 'canceled' });
    await board.host.payments.settlePrepayment(id);
    await eventually(
      async () => {
        await board.sandbox.clock.advance(60_000);
        return board.operator.inspect(id);
      },
      ({ receiptProblems }) => receiptProblems.length === 1,
    );
    return id;
  };
  const linkOf = (text: string, action: string) =>
    (new RegExp(`href="((?:\\.\\./)*payments/[^"]*/${action}\\?[^"]*)"`).exec(text)?.[1] ?? '')
      .replaceAll('&amp;', '&')
      .replace(/^(?:\.\.\/)*/, '');

  it('whose receipt failed has it sent again, to another email, once', async () => {
    const id = await failed('F-1');
    for (const text of [await page('receipts'), await page(`payments/${id}`)])
      expect(linkOf(text, 'send-receipt')).toContain(id);
    expect(linkOf(await page('receipts', 'reader'), 'send-receipt')).toBe('');
    const address = linkOf(await page(`payments/${id}`), 'send-receipt');
    const form = { ...unchanged(await page(address)), why: 'Typed wrongly', email: 'nobody' };
    const wrong = await board.post(`payments/${id}/send-receipt`, form);
    expect([wrong.status, (await wrong.text()).includes('No receipt reaches that email')]).toEqual([
      422,
      true,
    ]);
    const right = { ...form, email: 'right@buyer.example' };
    const answers = [
      await board.post(`payments/${id}/send-receipt`, right),
      await board.post(`payments/${id}/send-receipt`, right),
    ];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await board.host.payments.receipts.list(id)).toHaveLength(2);
    expect(await timeline(id)).toContain('anna: sent again');
    expect(await page(`payments/${id}`)).toContain('r…@buyer.example');
  });

  it('whose receipt failed has it taken care of, by who says so', async () => {
    const id = await failed('F-2');
    const form = unchanged(await page(linkOf(await page(`payments/${id}`), 'close-receipt')));
    const answer = await board.post(`payments/${id}/close-receipt`, { ...form, why: 'Made by hand: 4711' });
    expect(answer.status).toBe(303);
    expect((await board.operator.inspect(id)).receiptProblems).toEqual([]);
    expect(await timeline(id)).toContain('Made by hand: 4711');
    const other = `payments/${id}/close-receipt?problem=${form['problem']}`;
    expect(await page(other)).toContain('This cannot be done now');
  });

  it('whose hold ran out is an incident until somebody says what was done', async () => {
    const { id, serviceId } = await paid('I-1', cupAndSpoon, false);
    for (const on of ['cancel', 'capture'] as const)
      board.sandbox.faults.order({
        on,
        object: serviceId ?? '',
        fault: 'error_500_before_commit',
        times: 1_000,
      });
    await board.sandbox.clock.advance(8 * 24 * 3_600_000);
    await eventually(
      () => board.operator.inspect(id),
      ({ incidents }) => incidents.length === 1,
    );
    board.sandbox.faults.clear();
    for (const text of [await page('incidents'), await page(`payments/${id}`)]) {
      expect(text).toContain('hold ran out');
      expect(linkOf(text, 'resolve-incident')).toContain(id);
    }
    expect(linkOf(await page('incidents', 'reader'), 'resolve-incident')).toBe('');
    expect(await page(`payments/${id}/resolve-incident?problem=1`)).toContain('This cannot be done now');
    const form = unchanged(await page(linkOf(await page('incidents'), 'resolve-incident')));
    const answers = [];
    for (let click = 0; click < 2; click += 1)
      answers.push(
        await board.post(`payments/${id}/resolve-incident`, { ...form, why: 'The cups are here' }),
      );
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await board.operator.inspect(id)).incidents).toEqual([]);
    expect((await timeline(id)).split('The cups are here')).toHaveLength(2);
    expect(await page('incidents')).toContain('No incident is open');
  });

  it('hides who the buyer is until somebody asks, which its timeline keeps', async () => {
    const { id } = await paid('B-1');
    const masked = await page(`payments/${id}`);
    expect(masked).toContain('a…@buyer.example');
    expect(masked).not.toContain(customer.email);
    expect(masked).not.toContain('Sent and received');
    const answer = await board.post(`payments/${id}/show`);
    expect(answer.status).toBe(200);
    const shown = await answer.text();
    expect(shown).toContain(customer.email);
    // The request, the notification and the payment as the service has it.
    for (const part of ['Request: create', 'Notification: payment.succeeded', 'as the service had it last'])
      expect(shown).toContain(part);
    expect(shown).toContain('&quot;description&quot;: &quot;Cup&quot;');
    expect(await page(`payments/${id}`)).not.toContain(customer.email);
    expect(await timeline(id)).toContain("Saw the buyer's details");
    const refused = [
      await board.post(`payments/${id}/show`, {}, { 'x-staff': 'reader' }),
      await board.post(`payments/${id}/show`, {}, { 'sec-fetch-site': 'cross-site' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect(
      (await board.operator.inspect(id)).timeline.filter(({ name }) => name === 'payment.noted'),
    ).toHaveLength(1);
    expect(await page(`payments/${id}`, 'reader')).not.toContain('/show?');
    expect((await board.post(`payments/${id}/reveal`)).status).toBe(404);
  });

  it('that is held is left to a person, once', async () => {
    const { id } = await paid('H-1', cupAndSpoon, false);
    expect(await page(`payments/${id}`)).toContain('what the holds option of the module says');
    const form = { ...unchanged(await page(`payments/${id}/leave`)), why: 'They call back' };
    const answers = [
      await board.post(`payments/${id}/leave`, form),
      await board.post(`payments/${id}/leave`, form),
    ];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const text = await page(`payments/${id}`);
    expect(text).toContain('nothing: it is left to a person');
    expect(text).toContain('Leaves the hold to a person: They call back');
    expect(text).not.toContain('/leave?');
    expect(
      (await board.operator.inspect(id)).timeline.filter(({ name }) => name === 'payment.noted'),
    ).toHaveLength(1);
  });
});
