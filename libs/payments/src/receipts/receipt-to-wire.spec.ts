import { receiptToWire } from './receipt-to-wire.js';

describe('a receipt on the wire', () => {
  it('has the service’s names at every depth, and quantities as numbers', () => {
    const wire = receiptToWire({
      customer: { email: 'buyer@shop.example', fullName: 'Buyer' },
      taxSystemCode: 2,
      items: [
        {
          description: 'Fur coat',
          amount: { value: '100.00', currency: 'RUB' },
          quantity: '1.500',
          vatCode: 11,
          paymentSubject: 'marked',
          paymentMode: 'full_prepayment',
          countryOfOriginCode: 'RU',
          markMode: '0',
          markCodeInfo: {
            gs1m: 'DFGwNDY0MDE1Mzg2NDQ5MjIxNW9vY2tOelDFuUFwJh05MUVFMDYdOTJXK2ZaMy9uTjMvcVdHYzBjSVR3NFNOMWg1U2ZLV0dRMWhHL0UrZi8ydkDvPQ==',
          },
          markQuantity: { numerator: 1, denominator: 2 },
        },
      ],
    });
    expect(wire).toEqual({
      customer: { email: 'buyer@shop.example', full_name: 'Buyer' },
      tax_system_code: 2,
      items: [
        {
          description: 'Fur coat',
          amount: { value: '100.00', currency: 'RUB' },
          quantity: 1.5,
          vat_code: 11,
          payment_subject: 'marked',
          payment_mode: 'full_prepayment',
          country_of_origin_code: 'RU',
          mark_mode: '0',
          mark_code_info: { gs_1m: expect.stringMatching(/^DFGw/) },
          mark_quantity: { numerator: 1, denominator: 2 },
        },
      ],
    });
  });
});
