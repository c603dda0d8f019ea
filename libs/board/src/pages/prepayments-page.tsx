import type { UnsettledPage, UnsettledPrepayment } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Pager } from '../view/pager.js';
import { Empty, Money, PaymentLink, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';
import { ReceiptTabs } from './receipts-page.js';

interface PrepaymentsPageProps {
  readonly page: UnsettledPage;
  /** Empty: the shop's own. */
  readonly store: string;
  readonly isFirst: boolean;
}

const overdue: Told = { word: 'overdue', shape: 'warn', tone: 'warn' };
const waiting: Told = { word: 'to be handed over', shape: 'open', tone: 'wait' };

/** What was paid in advance: its second receipt is due once the goods are handed over. */
export function PrepaymentsPage({ page, store, isFirst }: PrepaymentsPageProps): JSX.Element {
  return (
    <Document title="Paid in advance">
      <h1>Receipts</h1>
      <ReceiptTabs current="prepaid" />
      {page.items.length === 0 ? (
        <Empty title="Nothing was paid in advance">
          What is paid before its goods are handed over stands here until its second receipt is sent.
        </Empty>
      ) : (
        <section class="panel" aria-label="Paid in advance">
          <Table
            caption={<span class="mute">The oldest first</span>}
            columns={['Paid', 'State', 'Order', 'What helps', 'Left']}
          >
            {page.items.map((prepayment) => (
              <Row prepayment={prepayment} />
            ))}
          </Table>
          <Pager
            page={page}
            path="receipts"
            query={{ tab: 'prepaid', ...(store !== '' && { store }) }}
            isFirst={isFirst}
          />
        </section>
      )}
    </Document>
  );
}

function Row({ prepayment }: { readonly prepayment: UnsettledPrepayment }): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { paymentId, store, orderReference, since, left, isOverdue } = prepayment;
  const address = `payments/${paymentId}/hand-over?${new URLSearchParams({ store }).toString()}`;
  return (
    <tr id={`prepayment-${paymentId}`}>
      <td class="when">
        <When at={since} />
      </td>
      <td class="state">
        <Words told={isOverdue ? overdue : waiting} />
      </td>
      <th scope="row">
        <PaymentLink paymentId={paymentId} store={store}>
          <span class="id">{orderReference}</span>
        </PaymentLink>
      </th>
      <td>
        {mayAct && (
          <a class="btn" href={link(address)}>
            Hand over…<span class="vh"> order {orderReference}</span>
          </a>
        )}
      </td>
      <td class="num lead">
        <Money amount={left} />
      </td>
    </tr>
  );
}
