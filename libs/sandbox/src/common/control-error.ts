/** A control call that cannot be done; answered over HTTP as `{error}` with this status. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    /** 400 bad input, 404 no such object, 409 not in its current state. */
    readonly status: 400 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}
