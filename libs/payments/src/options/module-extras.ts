import { IsFlag } from '../api/requests/rules.js';
import { filledWith, optionFaults, Unless } from '../common/option-rules.js';
import { Rule } from '../common/validation.js';
import { defaultExtras, type PaymentsModuleExtras } from './payments.module-definition.js';

type Extras = Required<PaymentsModuleExtras>;

const SEGMENT = /^[\w.~-]+$/;

/** An empty path would be every route of the host's that has one part, and a pattern may be any. */
const IsPath = (example: string): PropertyDecorator =>
  Rule(
    `must be a path such as '${example}', of parts with letters, digits, - . _ and ~`,
    (value) =>
      typeof value === 'string' &&
      value
        .replace(/^\//, '')
        .replace(/\/$/, '')
        .split('/')
        .every((part) => SEGMENT.test(part)),
  );

const AreDecorators = (): PropertyDecorator =>
  Rule(
    'must be an array of class decorators, such as [Public()]',
    (value) => Array.isArray(value) && value.every((decorator) => typeof decorator === 'function'),
  );

class ModuleExtrasShape implements Extras {
  @IsFlag()
  readonly isGlobal = defaultExtras.isGlobal;

  @IsPath(defaultExtras.webhookPath)
  readonly webhookPath = defaultExtras.webhookPath;

  @AreDecorators()
  readonly webhookDecorators = defaultExtras.webhookDecorators;

  @Unless(null)
  @IsPath('partner/callback')
  readonly partnerCallbackPath = defaultExtras.partnerCallbackPath;

  @AreDecorators()
  readonly partnerCallbackDecorators = defaultExtras.partnerCallbackDecorators;

  @Rule('must be the name of a data source', (value) => typeof value === 'string' && value !== '')
  readonly dataSource: string = 'default';

  @IsFlag()
  readonly cardData = defaultExtras.cardData;
}

/** The extras with their defaults, and their faults. With faults the module is put together by the defaults, and does not start. */
export function filledExtras(given: PaymentsModuleExtras): {
  readonly extras: Extras;
  readonly faults: readonly string[];
} {
  const own = Object.entries(given).filter(([name]) => Object.hasOwn(defaultExtras, name));
  const extras = filledWith(ModuleExtrasShape, Object.fromEntries(own));
  const faults = optionFaults(ModuleExtrasShape, extras, 'PaymentsModuleExtras');
  return { extras: faults.length === 0 ? extras : defaultExtras, faults };
}
