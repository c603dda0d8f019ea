import { fields, matching, optionalList, optionalText, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

/** A trip that a payment pays for. */
export interface Airline {
  readonly ticketNumber: string | null;
  readonly bookingReference: string | null;
  readonly passengers: readonly { readonly firstName: string; readonly lastName: string }[];
  readonly legs: readonly {
    readonly departureAirport: string;
    readonly destinationAirport: string;
    /** `YYYY-MM-DD`. */
    readonly departureDate: string;
  }[];
}

/** Assumed, except for the form of a date. */
const MOST = { legs: 4, passengers: 500 };
const LONGEST = { bookingReference: 20, name: 64 };

/** Reads the `airline` of a creation or a capture; null if there is none. */
export function parseAirline(value: unknown): Airline | null {
  if (value === undefined) return null;
  const airline = fields(value, 'airline');
  const ticketNumber =
    airline['ticket_number'] === undefined
      ? null
      : matching(airline['ticket_number'], /^\d{1,150}$/, 'Needs 1 to 150 digits', 'airline.ticket_number');
  const bookingReference = optionalText(
    airline['booking_reference'],
    LONGEST.bookingReference,
    'airline.booking_reference',
  );
  if (ticketNumber === null && !bookingReference) {
    throw invalidRequest('Needs ticket_number or booking_reference', 'airline.ticket_number');
  }
  return {
    ticketNumber,
    bookingReference,
    passengers: optionalList(airline['passengers'], MOST.passengers, 'airline.passengers', parsePassenger),
    legs: optionalList(airline['legs'], MOST.legs, 'airline.legs', parseLeg),
  };
}

function parsePassenger(value: unknown, parameter: string): Airline['passengers'][number] {
  const { first_name: firstName, last_name: lastName } = fields(value, parameter);
  return {
    firstName: text(firstName, LONGEST.name, `${parameter}.first_name`),
    lastName: text(lastName, LONGEST.name, `${parameter}.last_name`),
  };
}

function parseLeg(value: unknown, parameter: string): Airline['legs'][number] {
  const leg = fields(value, parameter);
  return {
    departureAirport: parseAirport(leg['departure_airport'], `${parameter}.departure_airport`),
    destinationAirport: parseAirport(leg['destination_airport'], `${parameter}.destination_airport`),
    departureDate: parseDate(leg['departure_date'], `${parameter}.departure_date`),
  };
}

function parseAirport(value: unknown, parameter: string): string {
  return matching(value, /^[A-Z]{3}$/, 'Needs an airport code of three capital letters', parameter);
}

function parseDate(value: unknown, parameter: string): string {
  const date = matching(value, /^\d{4}-\d{2}-\d{2}$/, 'Needs a date as YYYY-MM-DD', parameter);
  // Date.parse accepts the 31st of any month; written back, a day that does not exist is another day.
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) {
    throw invalidRequest('There is no such day', parameter);
  }
  return date;
}
