/**
 * Shows the service's widget on an order's page. The token is in the page, which the order's buyer alone can open, and in no
 * address. The widget leads back to the shop when the payment has succeeded or failed; whatever else happens, the page has ways out.
 */

interface Widget {
  render(elementId: string): Promise<void> | undefined;
}

declare global {
  interface Window {
    /** The service's script may be blocked in this browser, or not be there. */
    readonly YooMoneyCheckoutWidget?: new (options: {
      confirmation_token: string | undefined;
      return_url: string | undefined;
      error_callback: () => void;
    }) => Widget;
  }
}

function fail(): void {
  const fault = document.getElementById('widget-fault');
  if (fault !== null) fault.hidden = false;
}

const Widget = window.YooMoneyCheckoutWidget;
const { token, returnUrl } = document.getElementById('widget')?.dataset ?? {};
if (Widget === undefined) fail();
else {
  const widget = new Widget({ confirmation_token: token, return_url: returnUrl, error_callback: fail });
  Promise.resolve(widget.render('widget')).catch(fail);
}
