import { parseArgs } from 'node:util';
import { flagTable } from './flag-table.js';
import { addressFault, elsewhereFault } from './notifications/notification-address.js';
import type { SandboxOptions } from './sandbox.options.js';
import { receiptScenarios, usualRegister } from './stores/fiscalization.js';
import { eventNames, isEventName, type EventName } from './wire/events.js';

/** The flags of the command line. */
export interface Flags extends SandboxOptions {
  readonly seed: boolean;
  readonly quiet: boolean;
}

/** Reads the command line, with the defaults of the flag table; throws an Error that names the bad flag. */
export function parseFlags(args: readonly string[]): Flags | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: flagTable,
  });
  if (values.help) return 'help';
  const { host, notify, profile, seed, quiet, 'access-token': accessToken } = values;
  const { 'notify-events': ticked, 'notify-elsewhere': elsewhere, 'state-file': stateFile } = values;
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  // A colon ends the user name of HTTP Basic.
  if (!/^[^:\s]+$/.test(values['shop-id']))
    throw new Error('--shop-id must not be empty or hold a colon or space');
  if (values['secret-key'] === '') throw new Error('--secret-key must not be empty');
  if (accessToken !== undefined && !/^\S+$/.test(accessToken))
    throw new Error('--access-token must not be empty or hold a space');
  if (stateFile === '') throw new Error('--state-file must not be empty');
  const fault =
    notify === undefined ? null : (addressFault(notify) ?? (elsewhere ? null : elsewhereFault(notify)));
  if (fault !== null) throw new Error(`--notify ${notify}: ${fault}`);
  if (profile !== 'documented' && profile !== 'yookassa') {
    throw new Error(`--profile must be documented or yookassa, not "${profile}"`);
  }
  const scenario = receiptScenarios.find((known) => known === values.receipts);
  if (values.receipts !== undefined && !scenario)
    throw new Error(`--receipts must be one of ${receiptScenarios.join(', ')}, not "${values.receipts}"`);
  if (scenario && profile !== 'yookassa') throw new Error('--receipts needs --profile yookassa');
  return {
    port,
    host,
    shopId: values['shop-id'],
    secretKey: values['secret-key'],
    profile,
    seed,
    quiet,
    cardApp: !values['no-card-app'],
    notify: {
      elsewhere,
      ...(notify !== undefined && { url: notify }),
      ...(ticked !== undefined && { events: parseEvents(ticked) }),
    },
    ...(accessToken !== undefined && { accessToken }),
    ...(stateFile !== undefined && { stateFile }),
    ...(scenario && { receipts: usualRegister(scenario) }),
  };
}

function parseEvents(list: string): readonly EventName[] {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isEventName(name));
  if (unknown !== undefined)
    throw new Error(`--notify-events: "${unknown}" is none of ${eventNames.join(', ')}`);
  return names.filter(isEventName);
}
