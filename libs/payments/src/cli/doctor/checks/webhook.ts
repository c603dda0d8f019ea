import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { TLSSocket } from 'node:tls';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { codeOf, reasonOf } from '../../command-error.js';
import type { OpenedApp } from '../../host/opened-app.js';
import { broken, none, well, type Finding } from '../check.js';

/** What the service demands of the notification URL. */
const PORTS = ['443', '8443'];
const LEAST_TLS = 'TLSv1.2';
const PATIENCE_MS = 10_000;
/** How the door answers somebody who may not send. */
const REFUSAL = 'This address may not send notifications.';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly protocol: string | null;
  /** When the certificate ends, and whether it has begun. */
  readonly validFrom: Date;
  readonly validTo: Date;
  /** What a browser would say of it; the service takes any certificate. */
  readonly doubt: string | null;
}

/** The notification URL, as the service would call it: its name, its TLS, and who answers behind it. The application may be broken. */
export async function lookAtWebhook(webhookUrl: string | null, app: OpenedApp | null): Promise<Finding> {
  if (webhookUrl === null) return none('not given: --webhook-url https://your.host/webhooks/payments');
  const secret = app?.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS).webhookSecret ?? null;
  // Asked without it: then this machine is a stranger as elsewhere, and the secret is in no output.
  const asked = secret === null ? webhookUrl : webhookUrl.replace(`/${secret}`, '');
  const url = URL.canParse(asked) ? new URL(asked) : null;
  if (url === null || url.protocol !== 'https:')
    return broken(`${asked} is no https:// address`, 'The service notifies by HTTPS alone.');
  const port = url.port || '443';
  if (!PORTS.includes(port))
    return broken(
      `port ${port}: the service notifies ports ${PORTS.join(' and ')} alone`,
      `Have port 443 or 8443 lead to the application, and enter that in the Merchant Profile.`,
    );
  try {
    await lookup(url.hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return broken(`${url.hostname} has no address: ${reasonOf(error)}`, 'Enter the name in the DNS.');
  }
  try {
    return judged(url, await answerOf(url, null), await forgedAnswer(url, app));
  } catch (error) {
    return broken(`${url.href}: ${reasonOf(error)}`, unreachableFix(error));
  }
}

function judged(url: URL, answer: Answer, forged: Answer): Finding {
  const now = Date.now();
  if (answer.validTo.getTime() < now || answer.validFrom.getTime() > now)
    return broken(
      `the certificate of ${url.host} is valid from ${answer.validFrom.toISOString()} to ${answer.validTo.toISOString()}`,
      'Renew it.',
    );
  if (answer.status === 403 && answer.text.includes(REFUSAL)) {
    if (forged.status !== 403)
      return broken(
        "whoever writes an address of the service's into X-Forwarded-For is taken for the service",
        'Have the outermost proxy set that header itself, and name in trustedProxies your own proxies alone.',
      );
    const doubt =
      answer.doubt === null
        ? ''
        : `; the certificate is not one that browsers trust (${answer.doubt}), which the service takes`;
    return well(`${url.href} answers as the module does, by ${answer.protocol ?? 'TLS'}${doubt}`);
  }
  return broken(`${url.href} answers ${answer.status}, and not as the module does`, answerFix(answer));
}

function answerFix({ status, location }: Answer): string {
  if (status >= 300 && status < 400)
    return `The service follows no redirect: enter the address that it leads to${location === undefined ? '' : `, ${location}`}.`;
  if (status === 400)
    return 'This machine is taken for the service: name in trustedProxies your own proxies alone, and leave notificationSenders out.';
  if (status === 404)
    return 'Let the address end in the path at which notifications are taken: the start of the application logs it.';
  if (status === 401 || status === 403)
    return 'A guard or a proxy answers before the module: mark the route as public (webhookDecorators), or let it through.';
  if (status >= 500) return 'Start the application, or have the proxy find it.';
  return 'Have the proxy hand POST requests of this path to the application.';
}

function unreachableFix(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (/^(ERR_SSL|EPROTO)/.test(code))
    return `Have the server speak ${LEAST_TLS} or newer on this port, with a certificate.`;
  return 'Have the server listen there, and let the port through the firewall.';
}

/** The same with a claim to be the service. Nothing is in the body, so nothing would be stored. */
function forgedAnswer(url: URL, app: OpenedApp | null): Promise<Answer> {
  const senders = app?.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS).notificationSenders ?? [];
  return answerOf(url, senders[0]?.replace(/\/.*/, '') ?? null);
}

function answerOf(url: URL, claim: string | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'POST',
        agent: false,
        // Any certificate will do for the service; it is judged below.
        rejectUnauthorized: false,
        minVersion: LEAST_TLS,
        timeout: PATIENCE_MS,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': '2',
          'User-Agent': '@holdfast/payments doctor',
          ...(claim !== null && { 'X-Forwarded-For': claim }),
        },
      },
      (response) => {
        const { socket } = response;
        if (!(socket instanceof TLSSocket)) return reject(new Error('the connection has no TLS'));
        const certificate = socket.getPeerCertificate();
        const protocol = socket.getProtocol();
        const doubt = socket.authorized ? null : String(socket.authorizationError);
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { valid_from: from, valid_to: to } = certificate;
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            location: response.headers.location,
            protocol,
            validFrom: new Date(from),
            validTo: new Date(to),
            doubt,
          });
        });
      },
    );
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} seconds`)));
    asked.on('error', reject);
    asked.end('{}');
  });
}
