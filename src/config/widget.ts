/** The service's payment form for the shop's own pages. */
export interface Widget {
  readonly scriptUrl: string;
  /** Where the script comes from, and whatever it loads or shows in a frame. */
  readonly origins: readonly string[];
}

const path = '/checkout-widget/v1/checkout-widget.js';
const publicOrigin = 'https://yookassa.ru';

/** Of the public service. Assumed: that its script and frames come from these; the service publishes no list. */
export const publicWidget: Widget = {
  scriptUrl: publicOrigin + path,
  origins: [publicOrigin, 'https://yoomoney.ru', 'https://static.yoomoney.ru'],
};

/** With the script at this address. */
export function widgetFrom(scriptUrl: string): Widget {
  const { origin } = new URL(scriptUrl);
  return { scriptUrl, origins: origin === publicOrigin ? publicWidget.origins : [origin] };
}

/** Of a sandbox, which serves its script itself. */
export function sandboxWidget(sandboxUrl: string): Widget {
  return widgetFrom(sandboxUrl + path);
}
