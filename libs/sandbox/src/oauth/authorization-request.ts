import type { App, Apps } from '../partnership/apps.js';

const LONGEST_STATE = 1024;

/** An app's request to an owner. */
export interface AuthorizationRequest {
  readonly app: App;
  /** Returned unchanged; null if none was sent. */
  readonly state: string | null;
}

/** The request, or why it is invalid: shown only to the owner, because the app's address is not known. */
type ParsedAuthorization =
  | { readonly request: AuthorizationRequest; readonly fault: null }
  | { readonly request: null; readonly fault: string };

/** Reads the query of the authorization page. */
export function parseAuthorization(
  query: Readonly<Record<string, unknown>>,
  apps: Apps,
): ParsedAuthorization {
  const { client_id: clientId, response_type: responseType, redirect_uri: redirectUri, state } = query;
  const app = typeof clientId === 'string' ? apps.find(clientId) : undefined;
  if (!app) return refused('No app is registered under this client_id.');
  if (responseType !== 'code') return refused('response_type must be code.');
  // Not in the interface, but clients of other services send it.
  if (redirectUri !== undefined && redirectUri !== app.callbackUrl) {
    return refused('redirect_uri is not the Callback URL that the app is registered with.');
  }
  if (state !== undefined && typeof state !== 'string') return refused('state was sent more than once.');
  if (state !== undefined && Array.from(state).length > LONGEST_STATE) {
    return refused(`state is longer than ${LONGEST_STATE} characters.`);
  }
  return { request: { app, state: state ?? null }, fault: null };
}

/** The same request as the query of a link or form. */
export function queryOf({ app, state }: AuthorizationRequest): string {
  const query = { client_id: app.clientId, response_type: 'code', ...(state !== null && { state }) };
  return new URLSearchParams(query).toString();
}

/** The app's own address with the result. */
export function callbackWith(
  { app, state }: AuthorizationRequest,
  outcome: { readonly code: string } | { readonly error: 'access_denied' },
): string {
  const url = new URL(app.callbackUrl);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

function refused(fault: string): ParsedAuthorization {
  return { request: null, fault };
}
