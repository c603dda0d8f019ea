import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** A browser's id, and the proof that it is ours. */
const TEXT = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Browsers in which somebody has signed in before, known by a signed cookie: no memory has to outlive a restart, and none is shared
 * among processes. The signature's key is made of the password, slowly, so that a cookie is no quick way to guess it; all are
 * forgotten with the password.
 */
export class KnownBrowsers {
  readonly #key: Buffer;

  constructor(password: string) {
    this.#key = scryptSync(password, 'browsers that have signed in before', 32);
  }

  /** For a browser in which somebody signs in. */
  newCookie(): string {
    const id = randomBytes(16).toString('base64url');
    return `${id}.${this.#proofOf(id).toString('base64url')}`;
  }

  /** The browser's id; null: nobody has signed in there with this password. */
  idOf(cookie: string | undefined): string | null {
    const [, id = '', proof = ''] = TEXT.exec(cookie ?? '') ?? [];
    const isOurs = id !== '' && timingSafeEqual(Buffer.from(proof, 'base64url'), this.#proofOf(id));
    return isOurs ? id : null;
  }

  #proofOf(id: string): Buffer {
    return createHmac('sha256', this.#key).update(id).digest();
  }
}
