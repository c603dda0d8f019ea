/** Before the body is checked: whatever its payment_id is. */
export function namedPayment(body: unknown): string | null {
  const named = typeof body === 'object' && body !== null && 'payment_id' in body;
  return named && typeof body.payment_id === 'string' ? body.payment_id : null;
}
