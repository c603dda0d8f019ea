import { isLoopbackHost } from '../common/loopback.js';

/**
 * Why nobody can be notified at this address; null if it is valid: HTTPS on port 443 or 8443. This machine is exempt, so that an
 * application can be tried out on it.
 */
export function addressFault(url: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol)) return 'Needs an https address';
  if (isLoopbackHost(address.hostname)) return null;
  if (address.protocol !== 'https:') return 'Needs an https address';
  return address.port === '' || address.port === '8443' ? null : 'Needs port 443 or 8443';
}

/** Why the sandbox sends nothing there, unless it was started for that; null if it does. */
export function elsewhereFault(url: string): string | null {
  return isLoopbackHost(new URL(url).hostname)
    ? null
    : 'Leads to another machine; the sandbox sends there only if it was started with --notify-elsewhere';
}
