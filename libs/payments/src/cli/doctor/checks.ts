import type { Check } from './check.js';
import { clocks } from './checks/clocks.js';
import { configuration } from './checks/configuration.js';
import { credentials } from './checks/credentials.js';
import { dataSource } from './checks/data-source.js';
import { durability } from './checks/durability.js';
import { handlers } from './checks/handlers.js';
import { indexes } from './checks/indexes.js';
import { migrations } from './checks/migrations.js';
import { proxies } from './checks/proxies.js';
import { role } from './checks/role.js';
import { senders } from './checks/senders.js';
import { store } from './checks/store.js';
import { sweeps } from './checks/sweeps.js';

/** What is asked of an application that can be made, each after those that it needs. */
export const checks: readonly Check[] = [
  configuration,
  dataSource,
  migrations,
  indexes,
  role,
  durability,
  store,
  sweeps,
  handlers,
  credentials,
  clocks,
  senders,
  proxies,
];
