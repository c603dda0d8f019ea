import type { Row } from './row.js';
import { authentication } from './rows/authentication.js';
import { endpoints } from './rows/endpoints.js';
import { errorsAndLimits } from './rows/errors-and-limits.js';
import { events } from './rows/events.js';
import { otherObjects } from './rows/other-objects.js';
import { partsOfAPayment } from './rows/parts-of-a-payment.js';
import { payment } from './rows/payment.js';
import { states } from './rows/states.js';
import { whatItDoes } from './rows/what-it-does.js';

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
