import type { Request, Response } from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { digest, newSecret } from '../common/secrets.js';
import type { User } from '../partnership/users.js';

/** Cookies ignore ports: the name keeps it apart from those of an app on the same machine. */
const COOKIE = 'holdfast_sandbox_session';

/** A browser at the authorization pages. */
export interface Session {
  readonly user: User | null;
  /** A form of these pages must contain this: no page of another site knows it. */
  readonly formToken: string;
}

/** The signed-in users, by browser. A browser has an id before it signs in, so that the sign-in form is protected too. */
export class Sessions {
  readonly #key = newSecret();
  readonly #users = new Map<string, User>();

  /** The browser's session; a new one if it has none. */
  of(request: Request, response: Response): Session {
    const id = idOf(request) ?? this.#begin(response);
    return { user: this.#users.get(digest(id)) ?? null, formToken: this.#formToken(id) };
  }

  /** Whether a form comes from a page that this browser was shown. */
  isOwnForm(request: Request, formToken: string | undefined): boolean {
    const id = idOf(request);
    if (id === undefined || formToken === undefined) return false;
    const [given, right] = [Buffer.from(formToken), Buffer.from(this.#formToken(id))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /** Under a new id, so that nobody who knew the old one is signed in with it. */
  signIn(request: Request, response: Response, user: User): void {
    this.#end(request);
    this.#users.set(digest(this.#begin(response)), user);
  }

  signOut(request: Request, response: Response): void {
    this.#end(request);
    this.#begin(response);
  }

  #begin(response: Response): string {
    const id = newSecret();
    response.cookie(COOKIE, id, { httpOnly: true, sameSite: 'lax', path: '/oauth' });
    return id;
  }

  #end(request: Request): void {
    const id = idOf(request);
    if (id !== undefined) this.#users.delete(digest(id));
  }

  #formToken(id: string): string {
    return createHmac('sha256', this.#key).update(id).digest('base64url');
  }
}

function idOf(request: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}
