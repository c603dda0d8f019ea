import { formatAmount, type Payment } from '@holdfast/payments';
import type { JSX } from 'preact';
import { amountText, minorOf } from './amount-text.js';
import { Money } from './parts.js';

/** Where a payment's money is: what is left with the store, what went back, what was let go. */
export function MoneyBar({ payment }: { readonly payment: Payment }): JSX.Element {
  const asked = minorOf(payment.amount);
  const captured = minorOf(payment.capturedAmount);
  const refunded = minorOf(payment.refundedAmount);
  const held =
    payment.status === 'waiting_for_capture' ? payment.amount : formatAmount(0, payment.amount.currency);
  const left = formatAmount(captured - refunded, payment.amount.currency);
  const label = `Of ${amountText(payment.amount)} asked for, ${amountText(payment.capturedAmount)} was captured, ${amountText(payment.refundedAmount)} refunded, and ${amountText(left)} is left`;
  return (
    <>
      <Bar label={label} askedMinor={asked} leftMinor={captured - refunded} backMinor={refunded} />
      <dl class="money-flow">
        <Sum name="Asked" amount={payment.amount} />
        <Sum name="Held" amount={held} />
        <Sum name="Captured" amount={payment.capturedAmount} />
        <Sum name="Refunded" amount={payment.refundedAmount} />
        <Sum name="Left" amount={left} />
      </dl>
    </>
  );
}

interface BarProps {
  /** What it shows, in words. */
  readonly label: string;
  readonly askedMinor: number;
  readonly leftMinor: number;
  /** What went back, or is on its way. */
  readonly backMinor: number;
}

export function Bar({ label, askedMinor, leftMinor, backMinor }: BarProps): JSX.Element {
  const left = share(leftMinor, askedMinor);
  return (
    <svg class="bar" role="img" aria-label={label}>
      <rect class="left" width={left} height="100%" />
      <rect class="back" x={left} width={share(backMinor, askedMinor)} height="100%" />
    </svg>
  );
}

function Sum({ name, amount }: { readonly name: string; readonly amount: Payment['amount'] }): JSX.Element {
  return (
    <div {...(minorOf(amount) === 0 && { class: 'zero' })}>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  );
}

/** In per cent of the bar, to a hundredth. */
function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100}%`;
}
