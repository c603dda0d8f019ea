import { isDay, isDigits } from '../../common/text.js';
import { Given, IsText, Items, Nested, Rule, When } from '../../common/validation.js';
import { limits } from '../limits.js';

const { ticketNumberLength, bookingReferenceLength, airlineLegs, airlinePassengers, passengerNameLength } =
  limits;

const IsPassengerName = () => IsText(passengerNameLength.value);

class PassengerRequestShape {
  @IsPassengerName()
  readonly first_name!: string;

  @IsPassengerName()
  readonly last_name!: string;
}

export type PassengerRequest = Readonly<PassengerRequestShape>;

const IsAirport = () =>
  Rule(
    'must be an airport code of three capital letters, e.g. "SVO"',
    (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  );

class LegRequestShape {
  @IsAirport()
  readonly departure_airport!: string;

  @IsAirport()
  readonly destination_airport!: string;

  @Rule('must be a date of the calendar, YYYY-MM-DD', isDay)
  readonly departure_date!: string;
}

/** One flight from one airport to another; a trip with a transfer has two. */
export type LegRequest = Readonly<LegRequestShape>;

class AirlineRequestShape {
  /** Required unless there is a booking reference. With several tickets under one payment, one is enough. */
  @When(
    ({ ticket_number, booking_reference }) => ticket_number !== undefined || booking_reference === undefined,
  )
  @Rule(
    `must be 1 to ${ticketNumberLength.value} digits, and may be left out only with a booking_reference`,
    (value) => isDigits(value, 1, ticketNumberLength.value),
  )
  readonly ticket_number?: string;

  /** If there is no ticket number yet. */
  @Given()
  @IsText(bookingReferenceLength.value)
  readonly booking_reference?: string;

  @Given()
  @Items(() => PassengerRequestShape, airlinePassengers.value, '{ first_name, last_name }')
  readonly passengers?: readonly PassengerRequest[];

  @Given()
  @Items(
    () => LegRequestShape,
    airlineLegs.value,
    '{ departure_airport, destination_airport, departure_date }',
  )
  readonly legs?: readonly LegRequest[];
}

/** The air tickets of a bank card payment, for anti-fraud checks. */
export type AirlineRequest = Readonly<AirlineRequestShape>;

/** For the property that holds one. */
export const IsAirline = (): PropertyDecorator =>
  Nested(() => AirlineRequestShape, 'must be { ticket_number or booking_reference, passengers?, legs? }');
