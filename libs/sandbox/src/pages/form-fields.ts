import express from 'express';

/** The text fields of a form. */
export type Form = Readonly<Partial<Record<string, string>>>;

/** Forms of buyers and owners are short. */
export const parseForm = express.urlencoded({ extended: false, limit: '10kb' });

/** The text fields of a form; a repeated field is an array and left out. */
export function formFields(body: unknown): Form {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
