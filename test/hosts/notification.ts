import type { Client } from 'pg';
import request from 'supertest';

/** In the list of section 6 of the service interface. */
export const listedSender = '185.71.76.1';
/** Not in the list: an address reserved for documentation. */
export const unlistedSender = '203.0.113.9';

/** What the service sends (section 2.13 of the service interface). */
export function notification(event: string, object: object): string {
  return JSON.stringify({ type: 'notification', event, object });
}

/** Posts it as a reverse proxy on this machine would pass it on; returns the HTTP status. */
export async function post(
  url: string,
  body: string,
  forwardedFor = listedSender,
  contentType = 'application/json',
): Promise<number> {
  const { origin, pathname } = new URL(url);
  const { status } = await request(origin)
    .post(pathname)
    .set({ 'Content-Type': contentType, 'X-Forwarded-For': forwardedFor })
    .send(body);
  return status;
}

interface StoredNotification {
  event: string;
  objectId: string;
  senderAddress: string;
  count: number;
  handledCount: number;
}

/** What is stored, oldest first; only of the given object if there is one. */
export async function storedNotifications(sql: Client, objectId?: string): Promise<StoredNotification[]> {
  const { rows } = await sql.query<StoredNotification>(
    `SELECT event, object_id AS "objectId", sender_address AS "senderAddress", count, handled_count AS "handledCount"
     FROM payments_notifications WHERE $1::text IS NULL OR object_id = $1 ORDER BY first_at`,
    [objectId ?? null],
  );
  return rows;
}
