/** For the TypeORM command line, against the server in `DATABASE_URL` or the stopped shop's embedded one. */
import { DataSource } from 'typeorm';

import { openPostgres } from '../../examples/shared/database/postgres.js';
import { dataSourceOptions } from './data-source-options.js';

const { url } = await openPostgres();

export default new DataSource(dataSourceOptions(url));
