import type { AxiosRequestConfig } from 'axios';

/**
 * What is used of an axios: it sends one request. Written out, since axios declares itself twice, for `import` and for `require`, and
 * TypeScript takes an instance of the one for none of the other.
 */
export interface HttpSender {
  request(config: AxiosRequestConfig<string | undefined>): Promise<HttpAnswer>;
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly data: unknown;
  /** By their names in small letters. */
  readonly headers: { readonly [name: string]: unknown };
}
