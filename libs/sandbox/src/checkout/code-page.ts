import { html, type Html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { qrSvg } from '../pages/qr-svg.js';
import { waitingScript } from '../pages/waiting.text.js';
import { checkoutPage, otherWays, wayOut, type Visit } from './checkout-layout.js';

interface Code {
  readonly title: string;
  readonly says: string;
  /** What the code says: scanning it is opening this address. */
  readonly address: string;
  /** The words of the link for who is on the phone already. */
  readonly link: string;
  /** The screen that looks again; null where what the buyer types would be lost. */
  readonly waiting: Html | null;
}

/** A code to scan with the phone. A page that waits looks again by itself, and goes on once the phone has paid. */
export function codePage(
  visit: Visit,
  { title, says, address, link, waiting }: Code,
  more: Html | null = null,
): Page {
  return checkoutPage(
    title,
    visit,
    html`
      ${waiting}
      <section class="bank">
        <h2>${title}</h2>
        <p>${says}</p>
        ${qrSvg(address, 'qr-code')}
        <p><a class="button" href="${address}" id="open-app" data-testid="open-app">${link}</a></p>
        ${more}
      </section>
      ${otherWays(visit)} ${wayOut(visit)}
    `,
    waiting ? [waitingScript] : [],
  );
}
