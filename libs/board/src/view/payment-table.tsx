import type { FoundPayment } from '@holdfast/payments';
import type { ComponentChildren, JSX } from 'preact';
import { amountText, minorOf } from './amount-text.js';
import { usePage } from './page-context.js';
import { Money, Needs, PaymentLink, Table, Words } from './parts.js';
import { relativeText } from './time-text.js';
import { When } from './when.js';
import { methodText, paymentWords, receiptWords } from './words.js';

interface PaymentTableProps {
  /** Of the list: a page may have two, with the same payment in both. */
  readonly name: string;
  readonly caption: ComponentChildren;
  readonly items: readonly FoundPayment[];
}

export function PaymentTable({ name, caption, items }: PaymentTableProps): JSX.Element {
  return (
    <Table caption={caption} columns={['Created', 'Status', 'Order', 'Method', 'Receipt', 'Amount']}>
      {items.map((found) => (
        <Row id={`${name}-${found.payment.id}`} found={found} />
      ))}
    </Table>
  );
}

function Row({ id, found }: { readonly id: string; readonly found: FoundPayment }): JSX.Element {
  const { payment, needs } = found;
  const { receiptStatus } = payment;
  return (
    <tr id={id}>
      <td class="when">
        <When at={payment.createdAt} />
      </td>
      <td class="state">
        <Words told={paymentWords[payment.status]} />
        {payment.superseded && <small>superseded</small>}
        <Needs needs={needs} /> <Detail found={found} />
      </td>
      <th scope="row">
        <PaymentLink paymentId={payment.id} store={payment.store}>
          <span class="id">{payment.orderReference}</span>
        </PaymentLink>
      </th>
      <td class="nw-wide">{methodText(payment)}</td>
      <td {...(receiptStatus !== null && { 'data-label': 'Receipt:' })}>
        {receiptStatus !== null && <Words told={receiptWords[receiptStatus]} />}
      </td>
      <td class="num lead">
        <Money amount={payment.amount} /> <Parts found={found} />
      </td>
    </tr>
  );
}

/** Why it was canceled, or when its hold ends. */
function Detail({ found: { payment } }: { readonly found: FoundPayment }): JSX.Element | null {
  const { now } = usePage();
  const { cancellation, holdExpiresAt, status } = payment;
  if (cancellation !== null) return <small>{cancellation.reason}</small>;
  if (status !== 'waiting_for_capture') return null;
  return (
    <small>
      {holdExpiresAt === null ? 'its end is not known' : `ends ${relativeText(holdExpiresAt, now)}`}
    </small>
  );
}

/** What of the amount was captured, or given back, if it is not all of it. */
function Parts({ found: { payment } }: { readonly found: FoundPayment }): JSX.Element | null {
  const { amount, capturedAmount, refundedAmount, status } = payment;
  const refunded = minorOf(refundedAmount);
  if (refunded > 0) {
    const isAll = refunded === minorOf(capturedAmount);
    return <small>{isAll ? 'all refunded' : `${amountText(refundedAmount)} refunded`}</small>;
  }
  return status === 'succeeded' && minorOf(capturedAmount) !== minorOf(amount) ? (
    <small>{amountText(capturedAmount)} captured</small>
  ) : null;
}
