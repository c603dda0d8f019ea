import type { PaymentConfirmation } from '@holdfast/payments';
import { toString } from 'qrcode';

import type { Headline } from '../../examples/shared/pages/headline.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import type { Widget } from '../config/widget.js';

/** What the order's page needs for it. */
export interface PlaceToPay {
  widget: Widget | null;
  /** Where the widget leads the buyer back to: the payment is re-read there. */
  returnUrl: string;
}

/** A payment that is made on the order's own page. */
export interface PayHere {
  headline: Headline;
  panel: Html;
}

/** null: it is made on the service's page, or cannot be made here. */
export async function payHere(
  confirmation: PaymentConfirmation | null,
  { widget, returnUrl }: PlaceToPay,
): Promise<PayHere | null> {
  if (confirmation?.type === 'embedded' && widget !== null)
    return { headline: cardHeadline, panel: widgetPanel(confirmation.token, widget, returnUrl) };
  if (confirmation?.type === 'qr')
    return { headline: codeHeadline, panel: codePanel(confirmation.data, await drawn(confirmation.data)) };
  return null;
}

const cardHeadline: Headline = {
  tone: 'wait',
  title: 'Waiting for your payment',
  text: 'Pay below: the form is the payment service’s, and your card’s number never reaches us.',
};

const codeHeadline: Headline = {
  tone: 'wait',
  title: 'Waiting for your payment',
  text: 'Scan the code with your bank’s application and confirm there. This page goes on by itself.',
  reloadAfterSeconds: 3,
};

/** Deferred: a script that is slow to come must not keep the rest of the page from the buyer. */
function widgetPanel(token: string, { scriptUrl }: Widget, returnUrl: string): Html {
  return html`<section class="panel" aria-label="Payment form">
    <div id="widget" data-token="${token}" data-return-url="${returnUrl}"></div>
    <p class="fault" id="widget-fault" role="alert" hidden>
      The form cannot be shown. <a href="${returnUrl}">Begin again</a>, or pay another way.
    </p>
    <noscript><p>The form needs JavaScript. Without it, please pay another way.</p></noscript>
    <script defer src="${scriptUrl}"></script>
    <script defer src="/widget.js"></script>
  </section>`;
}

function codePanel(data: string, image: string): Html {
  return html`<section class="panel" aria-label="QR code">
    <img class="code" id="qr-code" src="${image}" alt="QR code of the payment" />
    ${
      isLink(data) &&
      html`<p class="actions">
        <a class="button" href="${data}" id="open-app">Open the bank’s application</a>
      </p>`
    }
  </section>`;
}

/** For scanners: crisp, in a light frame. As lines: packing pixels takes ten times as long, and a page that waits does it every few seconds. */
async function drawn(data: string): Promise<string> {
  const lines = await toString(data, { type: 'svg', margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(lines).toString('base64')}`;
}

const linkProtocols = ['https:', 'http:', 'sberpay:'];

/** For a buyer who is on the phone already. What a code says is any text; a link would run some of them. */
function isLink(data: string): boolean {
  return URL.canParse(data) && linkProtocols.includes(new URL(data).protocol);
}
