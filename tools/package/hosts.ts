/** An application as its scaffold makes it, with both packages and what they need beside it. */
export interface Host {
  readonly nest: 11 | 12;
  readonly typeorm: '0.3' | '1';
  /** `pnpm`: one of the projects of a workspace, whose packages see only what they declare. */
  readonly manager: 'npm' | 'pnpm';
}

/** What both packages need beside them, for either Nest. */
const beside = {
  11: ['@nestjs/axios@4', '@nestjs/schedule@6', '@nestjs/typeorm@11', '@nestjs/platform-fastify@11'],
  12: ['@nestjs/axios@12', '@nestjs/schedule@12', '@nestjs/typeorm@12', '@nestjs/platform-fastify@12'],
} as const;

/** What is installed beside the scaffold's own; builds need the last ones. */
export const packagesOf = ({ nest, typeorm }: Host): readonly string[] => [
  ...beside[nest],
  `typeorm@${typeorm}`,
  'axios@1',
  'pg@8',
  '@swc/cli',
  '@swc/core',
];

/** Two rows with the same name share one application. */
export const nameOf = ({ nest, typeorm, manager }: Host): string =>
  `nest-${nest}-typeorm-${typeorm}-${manager}`;
