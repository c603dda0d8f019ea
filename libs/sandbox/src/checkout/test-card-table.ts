import { testCards, type TestCard } from '../methods/test-cards.js';
import { html, type Html } from '../pages/html.js';

/** A card of any other number is refused, so that no real one ever arrives. */
const CSC = '123';
/** Long enough for any test. */
const YEARS_LEFT = 5;

/** The cards that can be typed, folded; with a script each is filled in by a press. */
export function testCardChoice(now: Date): Html {
  const expiry = `12 / ${String((now.getUTCFullYear() + YEARS_LEFT) % 100).padStart(2, '0')}`;
  return html`<details id="test-cards">
    <summary>Test cards</summary>
    <p>With any CSC and any future expiry.</p>
    ${testCardTable((card) => fillButton(card, expiry))}
  </details>`;
}

/** The cards with their results. `fill`: what is beside each number. */
export function testCardTable(fill: (card: TestCard) => Html | null = () => null): Html {
  return html`<table class="list" data-testid="test-cards">
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">Result</th>
      </tr>
    </thead>
    <tbody>
      ${testCards.map(
        (card) =>
          html`<tr>
            <td class="nw">${grouped(card.number)} <small>${card.cardType}</small></td>
            <td>${resultOf(card)} ${fill(card)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Its name says which card: a list of equal buttons would say nothing by itself. */
function fillButton({ number }: TestCard, expiry: string): Html {
  return html`<button
    type="button"
    class="link fill"
    data-testid="fill-${number}"
    data-number="${grouped(number)}"
    data-expiry="${expiry}"
    data-csc="${CSC}"
    aria-label="Fill in ${grouped(number)}"
  >
    Fill in
  </button>`;
}

function resultOf({ failure, asks3ds }: TestCard): Html {
  if (failure !== null) return breakable(failure);
  return asks3ds ? html`success after 3-D Secure` : html`success`;
}

/** A reason's name, breakable after each of its words. */
function breakable(reason: string): Html {
  return html`${reason.split('_').map((word, index) => (index === 0 ? html`${word}` : html`_<wbr />${word}`))}`;
}
