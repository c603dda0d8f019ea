import { Inject, Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret } from '../api/secret.js';
import { TokenKeyMissingError, TokenUnreadableError } from '../common/payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ResolvedTokenKeys } from '../options/token-keys.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

/**
 * Encrypts stores' access tokens for the database: AES-256-GCM under a fresh nonce each, bound to the store, so that a
 * token copied into another store's row cannot be read there. Stored as `v1.<key id>.<base64url of nonce, tag, text>`.
 */
@Injectable()
export class TokenVault {
  readonly #keys: ResolvedTokenKeys | null;

  constructor(@Inject(RESOLVED_OPTIONS) { tokenKeys }: Pick<ResolvedPaymentsOptions, 'tokenKeys'>) {
    this.#keys = tokenKeys;
  }

  /**
   * Id of the key that tokens are encrypted with now.
   * @throws TokenKeyMissingError if the module was given none
   */
  get currentKeyId(): string {
    if (this.#keys === null) throw new TokenKeyMissingError(null);
    return this.#keys.current;
  }

  /** @throws TokenKeyMissingError if the module was given none */
  seal(storeId: string, token: Secret): string {
    const keyId = this.currentKeyId;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(keyId), nonce).setAAD(bound(keyId, storeId));
    const text = Buffer.concat([cipher.update(token.reveal(), 'utf8'), cipher.final()]);
    return [FORMAT, keyId, Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')].join('.');
  }

  /**
   * @throws TokenKeyMissingError if its key is not among those given
   * @throws TokenUnreadableError if it was changed, or is another store's
   */
  open(storeId: string, sealed: string): Secret {
    const [format, keyId = '', payload = '', ...rest] = sealed.split('.');
    const bytes = Buffer.from(payload, 'base64url');
    if (format !== FORMAT || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new TokenUnreadableError(storeId);
    const key = this.#key(keyId);
    const tagEnd = NONCE_BYTES + TAG_BYTES;
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(bound(keyId, storeId))
        .setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
      const text = Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]);
      return new Secret(text.toString('utf8'));
    } catch {
      throw new TokenUnreadableError(storeId);
    }
  }

  #key(keyId: string): Buffer {
    const key = this.#keys?.keys.get(keyId);
    if (!key) throw new TokenKeyMissingError(keyId);
    return Buffer.from(key.reveal(), 'base64');
  }
}

/** What the text is bound to besides its key: this key's id, this store. */
function bound(keyId: string, storeId: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyId}.${storeId}`);
}
