import { html } from './html.js';

describe('html', () => {
  it('escapes every value that is not markup', () => {
    const typed = `<script>alert("1")</script> & 'x'`;
    expect(String(html`<p title="${typed}">${typed}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it('keeps markup inside markup, escaped once', () => {
    const items = ['a<', 'b'].map((item) => html`<b>${item}</b>`);
    expect(String(html`<p>${items}</p>`)).toBe('<p><b>a&lt;</b><b>b</b></p>');
  });

  it('shows nothing for an absent value, and zero for zero', () => {
    expect(String(html`[${null}${undefined}${false}${''}${0}]`)).toBe('[0]');
  });
});
