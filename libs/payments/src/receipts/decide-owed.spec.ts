import { decideOwed } from './decide-owed.js';
import { keyOfNext, latestOf } from './owed-keys.js';
import type { OwnReceiptStatus } from './own-receipt.js';
import { registeredOf } from './registered.js';

const receipt = (name: string, status: OwnReceiptStatus, amountMinor = 100) => ({
  id: name,
  receiptKey: `auto:${name}`,
  status,
  amountMinor,
});
type Known = ReturnType<typeof receipt>;
const payment = { authorizedMinor: 100, capturedMinor: 0, receiptDigest: 'said' };
const held = { ...payment, status: 'waiting_for_capture' } as const;
const paid = { ...payment, status: 'succeeded', capturedMinor: 100 } as const;
/** Its create named no receipt. */
const unsaid = { ...paid, receiptDigest: null } as const;
const inPart = { ...paid, capturedMinor: 40 } as const;
const canceled = { ...payment, status: 'canceled' } as const;
const refund = (
  id: string,
  status: 'pending' | 'succeeded' | 'canceled' | 'rejected',
  amountMinor = 100,
) => ({
  id,
  status,
  amountMinor,
});

const registered = (receipts: Known[], madeByHand: string[]) =>
  registeredOf(
    receipts,
    madeByHand.map(
      (receiptId) => ({ receiptId, refundId: null, status: 'canceled', resolution: {} }) as const,
    ),
  ).own;

/** In a few words each. */
const steps = (
  money: Parameters<typeof decideOwed>[0],
  receipts: Known[],
  refunds: ReturnType<typeof refund>[] = [],
  madeByHand: string[] = [],
): string[] =>
  decideOwed(money, refunds, registered(receipts, madeByHand)).map((step) => {
    if (step.kind === 'missing') return `missing ${step.refund?.id ?? 'payment'}`;
    if (step.kind === 'return') return `return ${step.of.receiptKey} as ${step.key}`;
    const sum = step.kind === 'send' ? ` ${step.amountMinor}` : '';
    return `${step.kind} ${step.receipt.receiptKey}${sum}`;
  });

describe('a receipt that is owed', () => {
  it.each([
    ['before the money moves', 'pending' as const, []],
    ['while its create is unknown', 'submitting' as const, []],
    ['once it is held', 'waiting_for_capture' as const, ['send auto:payment 100']],
    ['of a payment that was refused', 'rejected' as const, ['drop auto:payment']],
    ['of a payment that nobody made', 'canceled' as const, ['drop auto:payment']],
  ])('%s', (_when, status, expected) => {
    expect(steps({ ...payment, status }, [receipt('payment', 'owed')])).toEqual(expected);
  });

  it('is sent once it is paid, and lowered by what the service took off', () => {
    expect(steps(paid, [receipt('payment', 'owed')])).toEqual(['send auto:payment 100']);
    const lowered = { ...paid, authorizedMinor: 90, capturedMinor: 90 } as const;
    expect(steps(lowered, [receipt('payment', 'owed')])).toEqual(['send auto:payment 90']);
  });

  it.each<[OwnReceiptStatus, boolean, string[]]>([
    ['submitting', false, []],
    ['pending', false, []],
    ['canceled', false, ['close auto:payment']],
    ['rejected', false, ['close auto:payment']],
    ['succeeded', false, ['return auto:payment as auto:return']],
    ['canceled', true, ['return auto:payment as auto:return']],
    ['rejected', true, []],
  ])('and was %s (by hand: %s) is taken back only once it is registered', (status, byHand, expected) => {
    expect(steps(canceled, [receipt('payment', status)], [], byHand ? ['payment'] : [])).toEqual(expected);
  });

  it('is taken back once', () => {
    const both = [receipt('payment', 'succeeded'), receipt('return', 'submitting')];
    expect(steps(canceled, both)).toEqual([]);
  });

  it('of a part that was captured is sent, and that of the whole taken back', () => {
    const known = [receipt('payment', 'succeeded'), receipt('capture', 'owed', 40)];
    expect(steps(inPart, known)).toEqual(['return auto:payment as auto:return', 'send auto:capture 40']);
    const unsent = [receipt('payment', 'owed'), receipt('capture', 'owed', 40)];
    expect(steps(inPart, unsent)).toEqual(['drop auto:payment', 'send auto:capture 40']);
  });

  it('of a part is dropped where all was captured in the end, or nothing', () => {
    const known = [receipt('payment', 'pending'), receipt('capture', 'owed', 40)];
    expect(steps(paid, known)).toEqual(['drop auto:capture']);
    expect(steps(canceled, known)).toEqual(['drop auto:capture']);
    expect(steps(held, known)).toEqual([]);
  });

  it('is missing where another part was captured elsewhere', () => {
    expect(steps(inPart, [receipt('payment', 'succeeded')])).toEqual([
      'return auto:payment as auto:return',
      'missing payment',
    ]);
    expect(steps(inPart, [receipt('payment', 'succeeded'), receipt('capture', 'owed', 30)])).toEqual([
      'return auto:payment as auto:return',
      'drop auto:capture',
      'missing payment',
    ]);
  });

  it.each<['pending' | 'succeeded' | 'canceled' | 'rejected', string[]]>([
    ['pending', []],
    ['succeeded', ['send auto:refund:r 30']],
    ['canceled', ['drop auto:refund:r']],
    ['rejected', ['drop auto:refund:r']],
  ])('of a refund that is %s', (status, expected) => {
    const known = [receipt('payment', 'succeeded'), receipt('refund:r', 'owed', 30)];
    expect(steps(paid, known, [refund('r', status, 30)])).toEqual(expected);
  });

  it('of a refund of another sum than was requested is missing, once', () => {
    const known = [receipt('payment', 'succeeded'), receipt('refund:r', 'owed', 30)];
    expect(steps(paid, known, [refund('r', 'succeeded', 20)])).toEqual(['drop auto:refund:r', 'missing r']);
    const dropped = [receipt('payment', 'succeeded'), receipt('refund:r', 'void', 30)];
    expect(steps(paid, dropped, [refund('r', 'succeeded', 20)])).toEqual([]);
  });

  it('of a refund waits until that of the payment is registered', () => {
    const known = (status: OwnReceiptStatus) => [receipt('payment', status), receipt('refund:r', 'owed', 30)];
    expect(steps(paid, known('pending'), [refund('r', 'succeeded', 30)])).toEqual([]);
    expect(steps(paid, known('canceled'), [refund('r', 'succeeded', 30)])).toEqual([]);
    expect(steps(unsaid, [receipt('refund:r', 'owed', 30)], [refund('r', 'succeeded', 30)])).toEqual([
      'send auto:refund:r 30',
    ]);
  });

  it('that the database has forgotten is missing, with those of refunds', () => {
    expect(steps(held, [])).toEqual([]);
    expect(steps(paid, [])).toEqual(['missing payment']);
    expect(steps(paid, [], [refund('r', 'succeeded')])).toEqual(['missing payment', 'missing r']);
    expect(steps(unsaid, [])).toEqual([]);
  });

  it('of a refund made elsewhere is that of the payment if all was returned, else missing', () => {
    const known = [receipt('payment', 'succeeded')];
    expect(steps(paid, known, [refund('r', 'succeeded')])).toEqual(['return auto:payment as auto:refund:r']);
    expect(steps(paid, known, [refund('r', 'succeeded', 30)])).toEqual(['missing r']);
    expect(steps(unsaid, [], [refund('r', 'succeeded')])).toEqual([]);
    const part = [...known, receipt('return', 'succeeded'), receipt('capture', 'succeeded', 40)];
    expect(steps(inPart, part, [refund('r', 'succeeded', 40)])).toEqual([
      'return auto:capture as auto:refund:r',
    ]);
  });

  it('and failed counts by its last attempt', () => {
    const known = [receipt('payment', 'canceled'), receipt('payment~2', 'succeeded')];
    expect(steps(canceled, known)).toEqual(['return auto:payment~2 as auto:return']);
    expect(latestOf(known, 'auto:pay')).toBeUndefined();
    expect([keyOfNext('auto:payment'), keyOfNext('auto:payment~2')]).toEqual([
      'auto:payment~2',
      'auto:payment~3',
    ]);
  });
});
