import { testCards, type TestCard } from '../methods/test-cards.js';
import { html, type Html } from '../pages/html.js';

/** The cards that can be typed, with their results. */
export function testCardTable(): Html {
  return html`<details open>
    <summary>Test cards</summary>
    <p>With any CSC and any future expiry.</p>
    <table data-testid="test-cards">
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
              <td>${card.number.replace(/(.{4})(?=.)/g, '$1 ')}<small>${card.cardType}</small></td>
              <td>${resultOf(card)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function resultOf({ failure, asks3ds }: TestCard): Html {
  if (failure !== null) return breakable(failure);
  return asks3ds ? html`success after 3-D Secure` : html`success`;
}

/** A reason's name, breakable after each of its words. */
function breakable(reason: string): Html {
  return html`${reason.split('_').map((word, index) => (index === 0 ? html`${word}` : html`_<wbr />${word}`))}`;
}
