/** Whether this can be {base_url}: http or https, without credentials, query or fragment, which would swallow every path. */
export function isServiceAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#]/.test(value);
}

/** Whether requests to it may carry credentials: over https, or without leaving this machine. */
export function isProtected(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Whether a URL's `hostname` is this machine's. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** A base address that ends as the paths after it begin (`…/v3`) would repeat that part; null: it does not. */
export function repeatedPathFault(address: string, pathAfter: string): string | null {
  const [, repeated = ''] = pathAfter.split('/');
  const { origin, pathname } = new URL(address);
  const segments = pathname.split('/');
  const at = segments.findIndex((segment) => segment.toLowerCase() === repeated.toLowerCase());
  if (repeated === '' || at === -1) return null;
  return `must be ${origin}${segments.slice(0, at).join('/')}: the paths that begin with /${repeated}/ are added to it`;
}

/** The faults of the service's address, each with its fix. */
export function serviceUrlFaults(serviceUrl: unknown, paymentsPath: string): string[] {
  if (!isServiceAddress(serviceUrl))
    return ['must be the address of the service, e.g. https://api.example.com'];
  const repeated = repeatedPathFault(serviceUrl, paymentsPath);
  return [
    ...(isProtected(serviceUrl)
      ? []
      : [
          'must use https: http is allowed on a loopback address only, since every request carries credentials',
        ]),
    ...(repeated === null ? [] : [repeated]),
  ];
}

export function withoutEndingSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}
