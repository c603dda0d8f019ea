import { sandboxWidget } from '../config/widget.js';
import { payHere, type PlaceToPay } from './pay-here.js';

const place: PlaceToPay = {
  widget: sandboxWidget('http://127.0.0.1:4010'),
  returnUrl: 'https://shop.example/orders/1/return',
};
const panelOf = (...[confirmation, at = place]: [Parameters<typeof payHere>[0], PlaceToPay?]) =>
  String(payHere(confirmation, at)?.panel);

describe('a payment on the order’s own page', () => {
  it('has the widget, whose script comes from its configured address', () => {
    const panel = panelOf({ type: 'embedded', token: 'ct-1' });
    expect(panel).toContain('data-token="ct-1"');
    expect([...panel.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      'http://127.0.0.1:4010/checkout-widget/v1/checkout-widget.js',
      '/widget.js',
    ]);
    expect(panel).toMatch(/<noscript>.*another way/);
  });

  it('shows neither token nor form where there is no widget, and nothing for the service’s page', () => {
    expect(payHere({ type: 'embedded', token: 'ct-1' }, { ...place, widget: null })).toBeNull();
    expect(payHere({ type: 'redirect', url: 'https://pay.example/1' }, place)).toBeNull();
    expect(payHere(null, place)).toBeNull();
  });

  it('makes no markup of a token', () => {
    expect(panelOf({ type: 'embedded', token: '"><script>' })).not.toContain('"><script>');
  });
});
