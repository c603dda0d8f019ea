import { Client } from 'pg';

/** Connections to the database that end with a statement: it is carried out, and its answer never comes. */
export class LostAnswers {
  #isLost: ((statement: string) => boolean) | null = null;

  /** The answer of the next such statement. */
  lose(isLost: (statement: string) => boolean): void {
    this.#isLost = isLost;
  }

  /** The driver's client, for the pool. */
  get connections(): typeof Client {
    const watch = (client: Client) => this.#watch(client);
    return class LosingClient extends Client {
      constructor(...given: ConstructorParameters<typeof Client>) {
        super(...given);
        watch(this);
      }
    };
  }

  #watch(client: Client): void {
    const query: unknown = Reflect.get(client, 'query');
    if (typeof query !== 'function') throw new Error('The driver sends statements in another way now.');
    Reflect.set(client, 'query', async (...given: unknown[]): Promise<unknown> => {
      const [asked] = given;
      const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked;
      const isLost = this.#isLost?.(String(text)) === true;
      if (isLost) this.#isLost = null;
      const answer: unknown = await Reflect.apply(query, client, given);
      if (!isLost) return answer;
      await client.end();
      throw new Error('Connection terminated unexpectedly');
    });
  }
}
