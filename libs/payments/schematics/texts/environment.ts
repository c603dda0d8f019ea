/** A variable of the application, with what stands above it in `.env.example`. */
interface Variable {
  readonly name: string;
  readonly value: string;
  readonly comment: string;
}

const databaseUrl: Variable = {
  name: 'DATABASE_URL',
  value: 'postgres://shop:shop@127.0.0.1:5432/shop',
  comment: 'PostgreSQL, 15 or newer.',
};

/** Values with which the application runs on a developer's machine, beside the sandbox. */
const variables: readonly Variable[] = [
  {
    name: 'PAYMENTS_SHOP_ID',
    value: 'test_shop',
    comment: 'From the Merchant Profile; test_shop and test_secret are those of the sandbox.',
  },
  { name: 'PAYMENTS_SECRET_KEY', value: 'test_secret', comment: 'Never commit the real one.' },
  {
    name: 'PAYMENTS_INSTALLATION',
    value: 'development',
    comment: 'In production: production. Another name wherever a copy of its database may be.',
  },
  {
    name: 'PAYMENTS_SERVICE_URL',
    value: 'http://127.0.0.1:4010',
    comment: 'The sandbox: npx holdfast-sandbox. Leave it empty for the public service.',
  },
  {
    name: 'TRUSTED_PROXIES',
    value: '127.0.0.1/32,::1/128',
    comment: 'Your own reverse proxies, addresses or CIDRs with commas between, and nobody else.',
  },
];

/**
 * `.env`, or its example, with what it lacks at its end; a variable that it has, even as a comment, stays. `database`: with that of the
 * data source, which an application does not read that has one of its own.
 */
export function withEnvironment(text: string, { database }: { database: boolean }): string {
  const present = text.split('\n').map((line) =>
    line
      .replace(/^(#|export)\s*/, '')
      .split('=')[0]
      ?.trim(),
  );
  const lines = [...(database ? [databaseUrl] : []), ...variables]
    .filter(({ name }) => !present.includes(name))
    .map(({ name, value, comment }) => `# ${comment}\n${name}=${value}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return lines.length === 0 ? text : `${text}${gap}${lines.join('')}`;
}

/** A `.gitignore` that keeps the file with the settings out of the repository: a real secret key will be in it. */
export function withIgnored(text: string, file: string): string {
  const isIgnored = text.split('\n').some((line) => {
    const pattern = line.trim().replace(/^\//, '');
    return pattern === file || pattern === '.env*' || pattern === '*.env';
  });
  if (isIgnored) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${file}\n`;
}

/** The files in which Docker looks for services. */
export const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** The database that `.env.example` names. */
export const composeText = (): string => `\
services:
  postgres:
    image: postgres:18
    environment:
      POSTGRES_USER: shop
      POSTGRES_PASSWORD: shop
      POSTGRES_DB: shop
    ports:
      # Only this machine can reach it.
      - '127.0.0.1:5432:5432'
    volumes:
      # From version 18 on, the image keeps its data in a folder below this one.
      - postgres-data:/var/lib/postgresql
    healthcheck:
      test: pg_isready --username shop --dbname shop
      interval: 2s
      timeout: 3s
      retries: 15

volumes:
  postgres-data:
`;
