import { inspect } from 'node:util';

/** A credential that prints as `[redacted]` wherever it is logged, stringified or inspected. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The clear text; only for the header it is sent in. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}

/** Shop credentials: HTTP Basic with the shop identifier and its secret key (section 5.1). */
export interface ShopCredentials {
  readonly shopId: string;
  readonly secretKey: Secret;
}

export function authorizationHeader(credentials: ShopCredentials): string {
  const pair = `${credentials.shopId}:${credentials.secretKey.reveal()}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}
