/** For the TypeORM command line, against the server in `DATABASE_URL` or the stopped shop's embedded one. */
import { DataSource } from 'typeorm';

import { dataSourceOptions } from './data-source-options.js';
import { openPostgres } from './postgres.js';

const { url } = await openPostgres();

export default new DataSource(dataSourceOptions(url));
