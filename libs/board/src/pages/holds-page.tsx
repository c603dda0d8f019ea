import type { PaymentPage } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { Pager } from '../view/pager.js';
import { Empty } from '../view/parts.js';
import { PaymentTable } from '../view/payment-table.js';

interface HoldsPageProps {
  readonly page: PaymentPage;
  /** Empty: the shop's own. */
  readonly store: string;
  readonly isFirst: boolean;
}

export function HoldsPage({ page, store, isFirst }: HoldsPageProps): JSX.Element {
  return (
    <Document title="Holds">
      <h1>Holds</h1>
      {page.items.length === 0 ? (
        <Empty title="No holds">No money is held just now.</Empty>
      ) : (
        <section class="panel" aria-label="Holds">
          <PaymentTable
            name="hold"
            caption={<span class="mute">The next to end first</span>}
            items={page.items}
          />
          <Pager page={page} path="holds" query={store === '' ? {} : { store }} isFirst={isFirst} />
        </section>
      )}
    </Document>
  );
}
