interface Page {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Fixed texts: nothing from a request is ever shown. */
const pages = {
  'not-signed-in': {
    status: 401,
    title: 'You are not signed in',
    text: 'Sign in first, then connect the store again. Nothing was connected.',
  },
  'unknown-link': {
    status: 400,
    title: 'This link does not work any more',
    text: 'It was not made for you, or it is too old. Go back to your stores and connect again. Nothing was connected.',
  },
  failed: {
    status: 503,
    title: 'The store could not be connected',
    text: 'Something went wrong on our side. Go back to your stores and check whether it is connected; if not, try again.',
  },
} as const satisfies Record<string, Page>;

/** The page for an owner who cannot be redirected; all that is known of the host is that it is here. */
export function callbackPage(name: keyof typeof pages): { readonly status: number; readonly body: string } {
  const { status, title, text } = pages[name];
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; }</style>
  </head>
  <body data-testid="partner-${name}">
    <h1>${title}</h1>
    <p>${text}</p>
    <p><a href="/">Back to the site</a></p>
  </body>
</html>
`;
  return { status, body };
}
