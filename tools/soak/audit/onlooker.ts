import { Client, type QueryResultRow } from 'pg';

/** Reads the database beside the shops, over one connection that is opened again when it is lost. */
export class Onlooker {
  #client: Client | null = null;

  constructor(private readonly url: () => string | null) {}

  /** Null while the database gives no answer. */
  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[] | null> {
    try {
      this.#client ??= await this.#connect();
      return (await this.#client.query<Row>(text, values)).rows;
    } catch {
      await this.close();
      return null;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<Client> {
    const url = this.url();
    if (url === null) throw new Error('The database is down.');
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      query_timeout: 10_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
