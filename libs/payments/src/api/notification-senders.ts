/**
 * The addresses that the service sends notifications from, as CIDRs: `notifications/door/sender.guard.ts` admits no others. The
 * module's option of this name can replace them.
 */
export const notificationSenders: readonly string[] = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.156.11/32',
  '77.75.156.35/32',
  '77.75.154.128/25',
  '2a02:5180::/32',
];
