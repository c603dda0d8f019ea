/** Where owners and buyers reach the platform. Never taken from a request, whose Host header anyone can forge. */
export class PlatformAddress {
  constructor(
    /** Without a trailing slash. */
    readonly url: string,
  ) {}
}
