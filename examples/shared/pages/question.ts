import { formText } from './form.js';
import { html, type Html } from './html.js';

/** Something that is asked once more before it is done. */
export interface AskedOnceMore {
  readonly title: string;
  readonly text: string;
  /** Whether it was answered, and something else is to be asked by now. */
  readonly hasChanged: boolean;
  /** Where the answer goes, with the fields that say what was asked. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly yes: string;
  readonly back: { readonly href: string; readonly label: string };
}

/** Moves nothing by itself. */
export function askedOnceMore(asked: AskedOnceMore): Html {
  const { title, text, hasChanged, action, fields, yes, back } = asked;
  return html`
    <div class="narrow stack">
      <h1 id="question">${title}</h1>
      <p>${hasChanged && 'The sum has changed meanwhile. '}${text}</p>
      <form class="actions" method="post" action="${action}">
        ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <input type="hidden" name="sure" value="yes" />
        <button class="button" type="submit">${yes}</button>
        <a class="button quiet" href="${back.href}">${back.label}</a>
      </form>
    </div>
  `;
}

/** Whether a form answers a question. */
export function isSure(body: unknown): boolean {
  return formText(body, 'sure') === 'yes';
}

/** Whether it answers this very question: what was asked comes back with it, the sum too. */
export function isAnswerTo(body: unknown, { fields }: Pick<AskedOnceMore, 'fields'>): boolean {
  return isSure(body) && Object.entries(fields).every(([name, value]) => formText(body, name) === value);
}
