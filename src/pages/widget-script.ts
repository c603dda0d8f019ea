/**
 * Shows the service's widget on an order's page. The token is in the page, which the order's buyer alone can open, and in no
 * address. The widget leads back to the shop when the payment has succeeded or failed; whatever else happens, the page has ways out.
 */
export const widgetScript = `(() => {
  'use strict';
  const { token, returnUrl } = document.getElementById('widget').dataset;
  const fail = () => {
    document.getElementById('widget-fault').hidden = false;
  };
  // The service's script may be blocked in this browser, or not be there.
  const Widget = window.YooMoneyCheckoutWidget;
  if (Widget === undefined) return fail();
  const widget = new Widget({ confirmation_token: token, return_url: returnUrl, error_callback: fail });
  Promise.resolve(widget.render('widget')).catch(fail);
})();
`;
