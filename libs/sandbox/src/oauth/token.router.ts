import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { serveWithFault } from '../faults/api-faults.js';
import type { FaultOrders } from '../faults/fault-orders.js';
import type { Journal } from '../journal/journal.js';
import type { Ledger } from '../ledger/ledger.js';
import { formFields, parseForm, type Form } from '../pages/form-fields.js';
import type { App, Apps } from '../partnership/apps.js';
import { OAuthError } from '../partnership/oauth-error.js';
import type { Partnership } from '../partnership/partnership.js';
import { TOKEN_LIFETIME_S } from '../partnership/tokens.js';
import type { Operation } from '../wire/operations.js';
import type { Answer } from '../wire/service-error.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly faults: FaultOrders;
  readonly journal: Journal;
}

/** Where apps exchange codes for tokens and revoke tokens (assumed). */
export function tokenRouter(
  { apps, codes, tokens }: Partnership,
  { clock, ledger, faults, journal }: Dependencies,
): Router {
  const router = Router();
  router.use(['/token', '/revoke_token'], journal.recorder);

  const serve =
    (operation: Operation, work: (app: App, form: Form) => unknown): RequestHandler =>
    async (request, response) => {
      ledger.countRequest({
        endpoint: operation,
        accountId: null,
        requestKey: null,
        paymentId: null,
      });
      response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
      const carryOut = () =>
        refusalsAsAnswers(
          () => ({ status: 200, body: work(appOf(request, apps), formOf(request)) }),
          response,
        );
      const order = faults.take(operation, null, null);
      journal.learned(response, { operation, fault: order?.fault ?? null });
      await serveWithFault(order, carryOut, response, { clock, faults });
    };

  router.post(
    '/token',
    parseForm,
    serve('token', (app, { grant_type: grantType, code }) => {
      if (grantType === undefined)
        throw new OAuthError('invalid_request', 'grant_type is missing or repeated');
      if (grantType !== 'authorization_code') {
        throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code');
      }
      if (code === undefined) throw new OAuthError('invalid_request', 'code is missing or repeated');
      const { accessToken } = codes.exchange(code, app);
      return { access_token: accessToken, expires_in: TOKEN_LIFETIME_S };
    }),
  );
  router.post(
    '/revoke_token',
    parseForm,
    serve('revoke_token', (app, { token: text }) => {
      if (text === undefined) throw new OAuthError('invalid_request', 'token is missing or repeated');
      const token = tokens.behind(text);
      if (token && token.app !== app) throw new OAuthError('invalid_grant', 'The token is of another app');
      // An unknown token has nothing left to revoke (RFC 7009, section 2.2).
      if (token) tokens.revoke(token.id);
      return {};
    }),
  );
  router.all(['/token', '/revoke_token'], (_request, response) => void response.status(405).end());
  router.use(['/token', '/revoke_token'], badForm);
  return router;
}

/** What express could not read. */
const badForm: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof Error) || !('type' in error)) return next(error);
  return response.status(400).json(bodyOf(new OAuthError('invalid_request', error.message)));
};

function bodyOf({ code, description }: OAuthError) {
  return { error: code, error_description: description };
}

function appOf(request: Request, apps: Apps): App {
  const [, credentials = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const app = apps.withCredentials(Buffer.from(credentials, 'base64').toString());
  if (!app) throw new OAuthError('invalid_client', 'Client id and client secret are not known');
  return app;
}

function formOf(request: Request): Form {
  if (request.is('application/x-www-form-urlencoded')) return formFields(request.body);
  throw new OAuthError('invalid_request', 'Needs a form as its body');
}

function refusalsAsAnswers(work: () => Answer, response: Response): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.status === 401) response.set('WWW-Authenticate', 'Basic realm="sandbox"');
    return { status: error.status, body: bodyOf(error) };
  }
}
