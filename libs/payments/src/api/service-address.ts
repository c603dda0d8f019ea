/** Whether this can be {base_url}: http or https, without credentials, query or fragment, which would swallow every path. */
export function isServiceAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#]/.test(value);
}

/** Whether requests to it may carry credentials: over https, or without leaving this machine. */
export function isProtected(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
