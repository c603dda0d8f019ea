import { html, type Html } from '../pages/html.js';
import { page, type Page } from '../pages/page.js';
import { sheetStyle } from '../pages/sheet-style.js';

/** A form of these pages, with everything that has to come back. */
export type PageForm = (action: 'sign-in' | 'consent' | 'sign-out', content: Html) => Html;

export function authorizationPage(title: string, content: Html): Page {
  return page(
    title,
    sheetStyle,
    html`<main>
      <p class="badge">Sandbox: authorization for partner apps</p>
      ${content}
    </main>`,
  );
}

/** `query`: the app's request; `formToken`: proves that the form is ours. */
export function pageForm(query: string, formToken: string): PageForm {
  return (action, content) =>
    html`<form method="post" action="/oauth/v2/${action}?${query}" id="${action}-form">
      <input type="hidden" name="form_token" value="${formToken}" />
      ${content}
    </form>`;
}

/** A page for the owner only: nobody is sent anywhere. */
export function faultPage(title: string, text: string): Page {
  return authorizationPage(
    title,
    html`<h1>${title}</h1>
      <p class="alert" data-testid="authorization-error" role="alert">${text}</p>
      <p>Go back to the app, and report it to its makers if it happens again.</p>`,
  );
}
