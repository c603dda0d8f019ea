import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { payment } from '../../libs/payments/src/api/objects/payment.js';
import { receipt } from '../../libs/payments/src/api/objects/receipt.js';
import { refund } from '../../libs/payments/src/api/objects/refund.js';
import { paidWith } from '../../libs/payments/src/views/paid-with.js';
import { fiscalNumbers } from '../../libs/payments/src/views/receipt.view.js';
import { refundedBy } from '../../libs/payments/src/views/refund.view.js';
import { workspace } from '../support/packed.js';
import { shownFields, type Answer } from './answer-fields.js';

const page = await readFile(join(workspace, 'docs/answers.md'), 'utf8');

interface Documented extends Answer {
  /** What is kept and not shown from there: a column of the row has it, or nobody asked for it. */
  readonly elsewhere: readonly string[];
}

const answers: Readonly<Record<string, Documented>> = {
  Payments: {
    shape: payment,
    view: paidWith,
    least: { payment_method: { type: 'any' } },
    elsewhere: [
      'id',
      'status',
      'paid',
      'amount',
      'refunded_amount',
      'confirmation.type',
      'confirmation.return_url',
      'confirmation.confirmation_url',
      'confirmation.confirmation_token',
      'confirmation.confirmation_data',
      'created_at',
      'expires_at',
      'description',
      'metadata',
      'payment_method.status',
      'payment_method.holder.account_id',
      'payment_method.holder.gateway_id',
      'payment_method.electronic_certificate.basket_id',
      'test',
      'cancellation_details.party',
      'cancellation_details.reason',
      'receipt_registration',
    ],
  },
  Refunds: {
    shape: refund,
    view: refundedBy,
    least: {},
    elsewhere: [
      'id',
      'payment_id',
      'status',
      'amount',
      'created_at',
      'description',
      'cancellation_details.party',
      'cancellation_details.reason',
      'refund_method.electronic_certificate.basket_id',
      'receipt_registration',
      'metadata',
    ],
  },
  Receipts: {
    shape: receipt,
    view: (kept) => ({ fiscal: fiscalNumbers(kept) }),
    least: {},
    elsewhere: ['id', 'type', 'payment_id', 'refund_id', 'status'],
  },
};

/** The first two cells of each row below a heading. */
function rowsBelow(heading: string): string[] {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return [...section.matchAll(/^\| `[^|]+` \| `[^|]+` \|/gm)].map(([row]) => row);
}

describe.each(Object.entries(answers))('%s', (heading, { elsewhere, ...answer }) => {
  const fields = shownFields(answer);

  it('show every field that is kept of the answer, but for those named here', () => {
    expect(fields.flatMap(({ wire, view }) => (view === null ? wire : []))).toEqual(elsewhere);
  });

  it('show what docs/answers.md says, by the fields that it names', () => {
    const rows = fields.flatMap(({ wire, view }) => (view === null ? [] : `| \`${view}\` | \`${wire}\` |`));
    expect(rowsBelow(heading).toSorted()).toEqual(rows.toSorted());
  });
});
