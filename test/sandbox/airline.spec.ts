import type { Sandbox } from '@holdfast/sandbox';
import { held, order, post, refusal, started, type Json, type Reply } from './support.js';

const leg = { departure_airport: 'LED', destination_airport: 'AMS', departure_date: '2030-02-28' };
const passenger = { first_name: 'SERGEI', last_name: 'IVANOV' };
const trip = {
  ticket_number: '5554916004417',
  booking_reference: 'IIIKRV',
  passengers: [passenger],
  legs: [leg, { ...leg, departure_airport: 'AMS', destination_airport: 'JFK' }],
};

const create = (sandbox: Sandbox, airline: unknown, type = 'bank_card'): Promise<Reply> =>
  post(sandbox, '/v3/payments', 'k', order({ payment_method_data: { type }, airline }));

describe('the airline of a payment', () => {
  it('is accepted with a trip of two legs', async () => {
    const sandbox = await started();
    const { status, body } = await create(sandbox, trip);
    expect(status).toBe(200);
    expect(sandbox.payments.airline(String(body['id']))).toEqual({
      ticketNumber: '5554916004417',
      bookingReference: 'IIIKRV',
      passengers: [{ firstName: 'SERGEI', lastName: 'IVANOV' }],
      legs: [
        { departureAirport: 'LED', destinationAirport: 'AMS', departureDate: '2030-02-28' },
        { departureAirport: 'AMS', destinationAirport: 'JFK', departureDate: '2030-02-28' },
      ],
    });
  });

  it.each<[string, Json]>([
    ['only a ticket number', { ticket_number: '1'.repeat(150) }],
    ['only a booking reference', { booking_reference: 'R'.repeat(20) }],
    ['four legs', { ticket_number: '1', legs: [leg, leg, leg, leg] }],
    ['500 passengers', { ticket_number: '1', passengers: Array.from({ length: 500 }, () => passenger) }],
    ['a leap day', { ticket_number: '1', legs: [{ ...leg, departure_date: '2028-02-29' }] }],
    ['a field the sandbox does not know', { ticket_number: '1', legs: [{ ...leg, carrier_code: 'SU' }] }],
  ])('accepts %s', async (_what, airline) => {
    const sandbox = await started();
    expect((await create(sandbox, airline)).status).toBe(200);
  });

  const refused: [string, unknown, string][] = [
    ['a text', 'IIIKRV', 'airline'],
    ['neither ticket nor booking', { legs: [leg] }, 'airline.ticket_number'],
    ['an empty booking reference', { booking_reference: '' }, 'airline.ticket_number'],
    ['letters in the ticket number', { ticket_number: '555A' }, 'airline.ticket_number'],
    ['151 digits', { ticket_number: '1'.repeat(151) }, 'airline.ticket_number'],
    ['a number for the ticket number', { ticket_number: 555 }, 'airline.ticket_number'],
    ['a long booking reference', { booking_reference: 'R'.repeat(21) }, 'airline.booking_reference'],
    ['a number for the booking reference', { booking_reference: 5 }, 'airline.booking_reference'],
    ['five legs', { ...trip, legs: [leg, leg, leg, leg, leg] }, 'airline.legs'],
    ['an object for the legs', { ...trip, legs: leg }, 'airline.legs'],
    ['a text for a leg', { ...trip, legs: ['LED'] }, 'airline.legs[0]'],
    [
      'no departure airport',
      { ...trip, legs: [{ ...leg, departure_airport: undefined }] },
      'airline.legs[0].departure_airport',
    ],
    [
      'a city for an airport',
      { ...trip, legs: [leg, { ...leg, destination_airport: 'London' }] },
      'airline.legs[1].destination_airport',
    ],
    [
      'another form of date',
      { ...trip, legs: [leg, { ...leg, departure_date: '28.02.2030' }] },
      'airline.legs[1].departure_date',
    ],
    [
      'a day that does not exist',
      { ...trip, legs: [leg, { ...leg, departure_date: '2030-02-29' }] },
      'airline.legs[1].departure_date',
    ],
    [
      'a month that does not exist',
      { ...trip, legs: [{ ...leg, departure_date: '2030-13-01' }] },
      'airline.legs[0].departure_date',
    ],
    [
      'a moment for a date',
      { ...trip, legs: [{ ...leg, departure_date: '2030-02-28T00:00:00Z' }] },
      'airline.legs[0].departure_date',
    ],
    [
      '501 passengers',
      { ...trip, passengers: Array.from({ length: 501 }, () => passenger) },
      'airline.passengers',
    ],
    ['a name for a passenger', { ...trip, passengers: ['IVANOV'] }, 'airline.passengers[0]'],
    [
      'a passenger without a first name',
      { ...trip, passengers: [{ last_name: 'IVANOV' }] },
      'airline.passengers[0].first_name',
    ],
    [
      'a passenger with an empty last name',
      { ...trip, passengers: [passenger, { ...passenger, last_name: '' }] },
      'airline.passengers[1].last_name',
    ],
  ];

  it.each(refused)('refuses %s', async (_what, airline, parameter) => {
    const sandbox = await started();
    expect(await create(sandbox, airline)).toMatchObject(refusal(parameter));
    expect(sandbox.payments.list()).toEqual([]);
  });

  it('is refused with another method than a bank card, and accepted if the buyer chooses the method', async () => {
    const sandbox = await started();
    expect(await create(sandbox, trip, 'wallet')).toMatchObject(refusal('airline'));
    const free = await post(sandbox, '/v3/payments', 'free', order({ airline: trip }));
    expect(free.status).toBe(200);
  });

  it('is accepted with a capture, and replaces that of the creation', async () => {
    const sandbox = await started();
    const id = await held(sandbox, { airline: { booking_reference: 'IIIKRV' } });
    const { status } = await post(sandbox, `/v3/${id}/capture`, 'c', { airline: { ticket_number: '5554' } });
    expect(status).toBe(200);
    expect(sandbox.payments.airline(id)).toMatchObject({ ticketNumber: '5554', bookingReference: null });
  });

  it('is refused with a capture if it is wrong, and if no card was used', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    const wrong = { airline: { ...trip, legs: [{ ...leg, departure_date: 'soon' }] } };
    expect(await post(sandbox, `/v3/${id}/capture`, 'c1', wrong)).toMatchObject(
      refusal('airline.legs[0].departure_date'),
    );
    const byWallet = await held(sandbox, { payment_method_data: { type: 'wallet' } });
    expect(await post(sandbox, `/v3/${byWallet}/capture`, 'c2', { airline: trip })).toMatchObject(
      refusal('airline'),
    );
    expect(sandbox.ledger.totals().captures).toBe(0);
  });
});
