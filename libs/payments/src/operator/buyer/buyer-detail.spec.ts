import { detailsIn, masked, type BuyerDetail } from './buyer-detail.js';

describe('the details of a buyer', () => {
  it('are found wherever they stand, each once', () => {
    const customer = { full_name: 'Anna Ivanova', email: 'anna@shop.example', inn: '' };
    const said = [
      { receipt: { customer }, client_ip: '192.0.2.1' },
      { payment_method: { type: 'b2b_sberbank', payer_bank_details: { inn: '7707083893', kpp: '1' } } },
      { statements: [{ delivery_method: { type: 'email', email: 'anna@shop.example' } }] },
      null,
      'text',
    ];
    expect(detailsIn(said)).toEqual([
      { name: 'full_name', value: 'Anna Ivanova' },
      { name: 'email', value: 'anna@shop.example' },
      { name: 'client_ip', value: '192.0.2.1' },
      { name: 'inn', value: '7707083893' },
    ]);
  });

  it.each<[BuyerDetail, string]>([
    [{ name: 'email', value: 'anna@shop.example' }, 'a…@shop.example'],
    [{ name: 'email', value: 'anna' }, 'a…'],
    [{ name: 'phone', value: '79001234567' }, '…67'],
    [{ name: 'phone', value: '112' }, '…'],
    [{ name: 'full_name', value: 'Anna  Ivanova' }, 'A… I…'],
    [{ name: 'full_name', value: '𝒜nna' }, '𝒜…'],
    [{ name: 'address', value: 'Moscow' }, '…'],
    [{ name: 'client_ip', value: '192.0.2.1' }, '…'],
    [{ name: 'account_number', value: '4100116075156746' }, '…46'],
  ])('are masked: %j', (detail, value) => {
    expect(masked(detail)).toEqual({ name: detail.name, value });
  });
});
