import { whatItDoes } from './rows/what-it-does.js';
import { payment } from './rows/payment.js';
import { partsOfAPayment } from './rows/parts-of-a-payment.js';
import { otherObjects } from './rows/other-objects.js';
import { states } from './rows/states.js';
import { endpoints } from './rows/endpoints.js';
import { authentication } from './rows/authentication.js';
import { events } from './rows/events.js';
import { errorsAndLimits } from './rows/errors-and-limits.js';
import type { Row } from './row.js';

/** Every row and rule of the service interface, section by section. */
export const interfaceRows: readonly Row[] = [
  ...whatItDoes,
  ...payment,
  ...partsOfAPayment,
  ...otherObjects,
  ...states,
  ...endpoints,
  ...authentication,
  ...events,
  ...errorsAndLimits,
];
