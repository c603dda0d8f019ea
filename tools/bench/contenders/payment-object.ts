/** The credentials of every contender. */
export const account = { shopId: 'test_bench', secretKey: 'test_secret' } as const;

export interface Amount {
  readonly value: string;
  readonly currency: string;
}

export interface PaymentState {
  readonly status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled';
  readonly capture: boolean;
}

/** A payment as the service shows it, with about as many bytes. */
export function paymentObject({
  id,
  shop,
  status,
  amount,
  metadata,
}: PaymentState & {
  readonly id: string;
  readonly shop: string;
  readonly amount: Amount;
  readonly metadata: Readonly<Record<string, string>>;
}): string {
  const paid = status === 'succeeded' || status === 'waiting_for_capture';
  return JSON.stringify({
    id,
    status,
    paid,
    amount,
    ...(status === 'succeeded' && {
      income_amount: amount,
      refunded_amount: { ...amount, value: '0.00' },
      captured_at: '2026-01-01T12:00:05.000Z',
    }),
    ...(status === 'pending' && {
      confirmation: {
        type: 'redirect',
        return_url: 'https://shop.example/return',
        confirmation_url: `https://service.example/checkout/${id}`,
      },
    }),
    ...(status === 'waiting_for_capture' && { expires_at: new Date(Date.now() + 7 * 86_400_000) }),
    created_at: new Date(),
    description: 'Order 12345',
    metadata,
    recipient: { account_id: shop, gateway_id: '100700' },
    ...(paid && {
      payment_method: {
        type: 'bank_card',
        id,
        saved: false,
        title: 'Bank card *4477',
        card: {
          first6: '555555',
          last4: '4477',
          expiry_month: '01',
          expiry_year: '2030',
          card_type: 'MasterCard',
          issuer_country: 'RU',
        },
      },
      authorization_details: { rrn: '1031', auth_code: '0000', three_d_secure: { applied: true } },
    }),
    refundable: status === 'succeeded',
    test: shop.startsWith('test_'),
  });
}
