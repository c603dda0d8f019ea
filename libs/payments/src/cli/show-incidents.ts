import type { Incident } from '../operator/incidents.js';
import type { Screen } from './screen/screen.js';
import { momentText } from './screen/texts.js';
import { incidentWords } from './words.js';

/** As a list has them, with the way to their end. */
export function showIncidents(screen: Screen, incidents: readonly Incident[]): void {
  screen.table(
    ['incident', 'since', 'what', 'order', 'payment', 'why'],
    incidents.map(({ id, since, name, orderReference, paymentId, reason }) => [
      id,
      momentText(since),
      incidentWords[name],
      orderReference,
      paymentId,
      reason ?? '',
    ]),
  );
  screen.line(
    "Put right what happened, then: incidents resolve <incident> --note '<what was done>'",
    'quiet',
  );
}
