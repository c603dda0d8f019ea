import { parseEnvironment } from './environment.js';
import { serviceFromEnvironment } from './service-from-environment.js';
import { publicWidget, sandboxWidget } from './widget.js';

describe('the address of the widget', () => {
  const account = { PAYMENTS_SHOP_ID: '4711', PAYMENTS_SECRET_KEY: 'key', PAYMENTS_PROFILE: 'yookassa' };
  const widgetOf = (variables: Record<string, string>) =>
    serviceFromEnvironment(parseEnvironment({ ...account, ...variables }), 'postgres://db/shop').widget;

  it('is the public service’s own where the shop is connected to that', () => {
    expect(widgetOf({})).toEqual(publicWidget);
    expect(publicWidget.scriptUrl).toMatch(/^https:\/\/yookassa\.ru\/.*\.js$/);
  });

  it('is not known of another service, unless it is set', () => {
    const elsewhere = { PAYMENTS_SERVICE_URL: 'http://127.0.0.1:4010/v3' };
    expect(widgetOf(elsewhere)).toBeNull();
    const PAYMENTS_WIDGET_URL = 'http://127.0.0.1:4010/checkout-widget/v1/checkout-widget.js';
    expect(widgetOf({ ...elsewhere, PAYMENTS_WIDGET_URL })).toEqual(sandboxWidget('http://127.0.0.1:4010'));
    expect(widgetOf({ PAYMENTS_WIDGET_URL: publicWidget.scriptUrl })).toEqual(publicWidget);
  });

  it('adds no more to a page’s policy than an origin', () => {
    const PAYMENTS_WIDGET_URL = 'https://widget.example/a;script-src/b.js';
    expect(widgetOf({ PAYMENTS_WIDGET_URL })?.origins).toEqual(['https://widget.example']);
    for (const wrong of ['javascript:alert(1)', 'widget.js', '//widget.example/x.js'])
      expect(() => widgetOf({ PAYMENTS_WIDGET_URL: wrong })).toThrow(/PAYMENTS_WIDGET_URL must be/);
  });
});
