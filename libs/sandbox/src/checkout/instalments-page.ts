import { formatMinor } from '../common/money.js';
import { html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import type { PhoneApp } from './phone-page.js';

const PARTS = 4;

/** A purchase paid in four parts, the first of which is due at once. */
export const instalments: PhoneApp = {
  path: 'instalments',
  name: 'instalments',
  says: ({ amountMinor }) => {
    const partMinor = Math.floor(amountMinor / PARTS);
    const firstMinor = amountMinor - partMinor * (PARTS - 1);
    return html`<p>
      ${roubles(formatMinor(firstMinor))} today, and ${roubles(formatMinor(partMinor))} every two weeks,
      ${String(PARTS - 1)} times.
    </p>`;
  },
  answers: [
    { value: 'confirm', label: 'Approve', failure: null },
    { value: 'refuse', label: 'Refuse', failure: 'general_decline' },
    { value: 'no-money', label: 'The first part cannot be paid', failure: 'insufficient_funds' },
  ],
};
