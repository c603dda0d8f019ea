import { toString } from 'qrcode';

import { sandboxWidget } from '../config/widget.js';
import { payHere, type PlaceToPay } from './pay-here.js';

const place: PlaceToPay = {
  widget: sandboxWidget('http://127.0.0.1:4010'),
  returnUrl: 'https://shop.example/orders/1/return',
};
const panelOf = async (...[confirmation, at = place]: [Parameters<typeof payHere>[0], PlaceToPay?]) =>
  String((await payHere(confirmation, at))?.panel);

describe('a payment on the order’s own page', () => {
  it('has the widget, whose script comes from its configured address', async () => {
    const panel = await panelOf({ type: 'embedded', token: 'ct-1' });
    expect(panel).toContain('data-token="ct-1"');
    expect([...panel.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      'http://127.0.0.1:4010/checkout-widget/v1/checkout-widget.js',
      '/widget.js',
    ]);
    expect(panel).toMatch(/<noscript>.*another way/);
  });

  it('shows neither token nor form where there is no widget, and nothing for the service’s page', async () => {
    expect(await payHere({ type: 'embedded', token: 'ct-1' }, { ...place, widget: null })).toBeNull();
    expect(await payHere({ type: 'redirect', url: 'https://pay.example/1' }, place)).toBeNull();
    expect(await payHere(null, place)).toBeNull();
  });

  it.each(['https://qr.example/1', 'sberpay://pay/1?a=1&b=2'])(
    'shows %s as a code and a link',
    async (data) => {
      const panel = await panelOf({ type: 'qr', data });
      const [, image = ''] = /src="data:image\/svg\+xml;base64,([^"]*)"/.exec(panel) ?? [];
      expect(Buffer.from(image, 'base64').toString()).toBe(await toString(data, { type: 'svg', margin: 4 }));
      expect(panel).toContain(`href="${data.replace('&', '&amp;')}"`);
    },
  );

  it.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,<b>', '"><script>', 'SBER-1'])(
    'makes no link of %s, and no markup',
    async (text) => {
      const panel = await panelOf({ type: 'qr', data: text });
      expect(panel).not.toMatch(/<a |href|javascript|<script|<b>/i);
      expect(await panelOf({ type: 'embedded', token: text })).not.toMatch(/<b>|"><script>/);
    },
  );
});
