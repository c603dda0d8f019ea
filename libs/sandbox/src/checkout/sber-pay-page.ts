import type { Form } from '../pages/form-fields.js';
import { html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { waitingScreen } from '../pages/waiting-screen.js';
import type { Visit } from './checkout-layout.js';
import { codePage } from './code-page.js';

/** SberPay: a code to scan, or a push to the phone whose number the buyer types. `phone`: where a push is sent. */
export function sberPayPage(visit: Visit, address: string, { phone, pushed, looks }: Form): Page {
  const { payment } = visit;
  const isPushed = phone !== undefined || pushed !== undefined;
  const push = isPushed
    ? sentNote
    : html`<form method="get" action="/checkout/${payment.id}/sberpay" id="push-form">
        <div class="field">
          <label for="phone">Or have a push sent to your phone</label>
          <input
            id="phone"
            name="phone"
            data-testid="phone"
            inputmode="tel"
            autocomplete="tel"
            placeholder="+7 900 000 00 00"
          />
        </div>
        <button type="submit" class="quiet" id="push" data-testid="push">Send a push</button>
      </form>`;
  const code = {
    title: 'Pay by SberPay',
    says: 'Scan the code with the phone that has SberBank Online.',
    address,
    link: 'Open SberBank Online',
    // Not the phone's number: what looks again must not repeat it.
    waiting: isPushed ? waitingScreen(looks, 'pushed=yes&') : null,
  };
  return codePage(visit, code, push);
}

const sentNote = html`<p id="pushed" data-testid="pushed">
  A push was sent. In the sandbox the phone is behind the button above.
</p>`;
