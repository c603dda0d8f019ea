import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { formFields, parseForm, type Form } from '../pages/form-fields.js';
import { pageHeaders } from '../pages/page-headers.js';
import { show } from '../pages/show.js';
import type { Partnership } from '../partnership/partnership.js';
import { PASSWORD, type User } from '../partnership/users.js';
import { faultPage, pageForm } from './authorization-layout.js';
import {
  callbackWith,
  parseAuthorization,
  queryOf,
  type AuthorizationRequest,
} from './authorization-request.js';
import { consentPage } from './consent-page.js';
import { Sessions, type Session } from './sessions.js';
import { signInPage } from './sign-in-page.js';

type Work = (asked: AuthorizationRequest, request: Request, response: Response) => void;
type FormWork = (asked: AuthorizationRequest, form: Form, request: Request, response: Response) => void;

/** The authorization pages: sign in → choose a store and grant, or refuse. */
export function authorizeRouter({ users, stores, apps, codes }: Partnership): Router {
  const sessions = new Sessions();
  const router = Router();
  const headers = pageHeaders();

  /** Every step carries the app's request in its query, and checks it again: nothing is stored between them. */
  const asking = (work: Work) => (request: Request, response: Response) => {
    const { request: asked, fault } = parseAuthorization(request.query, apps);
    if (asked) work(asked, request, response);
    else show(response, 400, faultPage('This link does not work', fault));
  };
  const ownForms = (work: FormWork) =>
    asking((asked, request, response) => {
      const form = formFields(request.body);
      if (sessions.isOwnForm(request, form['form_token'])) work(asked, form, request, response);
      else
        show(response, 403, faultPage('This form is out of date', 'It was not sent from a page shown here.'));
    });
  const showSignIn = (
    asked: AuthorizationRequest,
    { formToken }: Session,
    response: Response,
    error: string | null,
  ) => {
    const form = pageForm(queryOf(asked), formToken);
    show(response, error === null ? 200 : 422, signInPage(asked.app, form, users.list(), error));
  };
  const showConsent = (
    asked: AuthorizationRequest,
    user: User,
    { formToken }: Session,
    response: Response,
    error: string | null,
  ) => {
    const owned = stores.list().filter(({ owner }) => owner === user.login);
    const consent = { app: asked.app, user, stores: owned, names: stores.own.names.permissions, error };
    show(response, error === null ? 200 : 422, consentPage(consent, pageForm(queryOf(asked), formToken)));
  };

  router.get(
    '/authorize',
    headers,
    asking((asked, request, response) => {
      const session = sessions.of(request, response);
      if (session.user) showConsent(asked, session.user, session, response, null);
      else showSignIn(asked, session, response, null);
    }),
  );
  router.post(
    '/sign-in',
    headers,
    parseForm,
    ownForms((asked, { login = '', password }, request, response) => {
      const user = users.find(login.trim());
      if (!user || password !== PASSWORD) {
        return showSignIn(
          asked,
          sessions.of(request, response),
          response,
          'There is no such login and password.',
        );
      }
      sessions.signIn(request, response, user);
      return toStart(asked, response);
    }),
  );
  router.post(
    '/sign-out',
    headers,
    parseForm,
    ownForms((asked, _form, request, response) => {
      sessions.signOut(request, response);
      toStart(asked, response);
    }),
  );
  router.post(
    '/consent',
    headers,
    parseForm,
    ownForms((asked, { decision, store: accountId = '' }, request, response) => {
      const session = sessions.of(request, response);
      const { user } = session;
      if (!user) return toStart(asked, response);
      if (decision === 'refuse')
        return response.redirect(303, callbackWith(asked, { error: 'access_denied' }));
      const store = stores.find(accountId);
      if (decision !== 'approve' || store?.owner !== user.login) {
        return showConsent(asked, user, session, response, 'Choose a store of yours, or refuse.');
      }
      const { app } = asked;
      const code = codes.issue({ app, store, permissions: app.permissions });
      return response.redirect(303, callbackWith(asked, { code }));
    }),
  );
  router.use(badForm);
  return router;
}

/** What express could not read. */
const badForm: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof Error) || !('type' in error)) return next(error);
  return show(response, 400, faultPage('This form cannot be read', error.message));
};

function toStart(asked: AuthorizationRequest, response: Response): void {
  response.redirect(303, `/oauth/v2/authorize?${queryOf(asked)}`);
}
