import type { Page } from 'playwright-core';

/** What the browser has against this page from now on: errors of scripts, and whatever the page's own policy forbids. The list grows. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    const text = message.text();
    // The status of an answer is no fault of the page.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  return complaints;
}

/** Throws where there are any: a page's own policy forbids nothing that the page does. */
export function mustBeNone(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join('\n')}`);
}
