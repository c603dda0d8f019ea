import { formatAmount, type PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import type { PaymentAction } from '../payment-actions.js';
import { moneyAfter } from '../payment-form.js';
import { leftOf, moneyNow, type MoneyAt } from '../payment-money.js';
import { amountText, minorOf } from './amount-text.js';
import { Bar } from './money-bar.js';
import { Money, Panel } from './parts.js';

interface MoneyOnceDoneProps {
  readonly record: PaymentRecord;
  readonly action: PaymentAction;
  /** Of a capture or a refund. */
  readonly sumMinor: number;
}

const rows: readonly { readonly name: string; readonly of: (money: MoneyAt) => number }[] = [
  { name: 'Held', of: ({ heldMinor }) => heldMinor },
  { name: 'Captured', of: ({ capturedMinor }) => capturedMinor },
  { name: 'Refunded', of: ({ refundedMinor }) => refundedMinor },
  { name: 'On its way back', of: ({ underWayMinor }) => underWayMinor },
  { name: 'Left', of: leftOf },
];

/** A payment's money now, and after what a page asks about. */
export function MoneyOnceDone({ record, action, sumMinor }: MoneyOnceDoneProps): JSX.Element {
  const { amount } = record.payment;
  const now = moneyNow(record);
  const after = moneyAfter(now, action, sumMinor);
  const text = (minor: number) => formatAmount(minor, amount.currency);
  const left = leftOf(after);
  return (
    <Panel title="Money, once done">
      <div class="body">
        <Bar
          label={`After that ${amountText(text(left))} of ${amountText(amount)} is left`}
          askedMinor={minorOf(amount)}
          leftMinor={left}
          backMinor={after.capturedMinor - left}
        />
        <table class="sums">
          <caption class="vh">The money of this payment, now and after that</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="vh">Part</span>
              </th>
              <th scope="col" class="num">
                Now
              </th>
              <th scope="col" class="num">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ of }) => of(now) !== 0 || of(after) !== 0)
              .map(({ name, of }) => (
                <tr>
                  <th scope="row">{name}</th>
                  <td class="num">
                    <Money amount={text(of(now))} />
                  </td>
                  <td class="num">
                    <Money amount={text(of(after))} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
