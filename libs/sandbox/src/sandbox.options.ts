/** How to start a sandbox. */
export interface SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** User name of HTTP Basic. Payments of a shop whose id starts with `test_` carry `test: true`. */
  readonly shopId: string;
  /** Password of HTTP Basic. */
  readonly secretKey: string;
  /** Default: no subscription, until `setNotifyUrl` makes one. */
  readonly notify?: {
    readonly url: string;
    /** Sent as X-Forwarded-For. Default 185.71.76.1, one of the documented senders. */
    readonly senderAddress?: string;
  };
  /** Where the sandbox's clock starts. Default: now. */
  readonly startAt?: Date;
}
