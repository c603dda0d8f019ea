export const styles = `
:root {
  --paper: #faf6ef; --card: #fffdf9; --ink: #2b2320; --soft: #75685f; --line: #e6dccd;
  --leaf: #24473d; --leaf-dark: #193329; --amber: #a9581c; --good: #2c6b4a; --bad: #9b3322;
  --serif: Georgia, 'Iowan Old Style', 'Palatino Linotype', 'Times New Roman', serif;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
a { color: inherit; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; margin: 0; text-wrap: balance; }
h1 { font-size: clamp(1.8rem, 5vw, 2.6rem); }
h2 { font-size: 1.25rem; }
p { margin: 0; }
.wrap { max-width: 66rem; margin-inline: auto; padding-inline: 1.25rem; }
.narrow { max-width: 40rem; margin-inline: auto; }
.narrow:not(.stack) > h1 { margin-bottom: 1.25rem; }
:focus-visible { outline: 3px solid #d99a5b; outline-offset: 2px; }

.top { background: var(--leaf); color: #f6efe2; }
.top .wrap { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-block: .9rem; }
.brand { display: flex; align-items: center; gap: .6rem; font: 600 1.25rem var(--serif); text-decoration: none; }
.brand svg { width: 1.9rem; height: 1.9rem; flex: none; }
.top p { font-size: .9rem; opacity: .8; }
main { padding-block: 1.75rem 3.5rem; min-height: 74vh; }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem; padding-block: 1.5rem; }
.back { display: inline-block; margin-bottom: 1.25rem; color: var(--soft); font-size: .92rem; }

.lead { display: grid; gap: .6rem; margin-bottom: 2rem; max-width: 38rem; }
.lead p { color: var(--soft); font-size: 1.08rem; }
.grid { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(16.5rem, 100%), 1fr)); padding: 0; margin: 0; list-style: none; }
.card { position: relative; height: 100%; display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; transition: box-shadow .15s, transform .15s; }
.card:hover { box-shadow: 0 8px 24px rgb(60 40 20 / .1); transform: translateY(-2px); }
.card a { text-decoration: none; }
.card a::after { content: ''; position: absolute; inset: 0; }
.card .text { display: grid; gap: .3rem; padding: 1rem 1.1rem 1.15rem; flex: 1; align-content: start; }
.card .tag { position: absolute; top: .8rem; left: .8rem; }
.card .foot { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; padding: 0 1.1rem 1.1rem; }
.art { display: block; width: 100%; height: auto; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
.price { font: 600 1.15rem var(--serif); white-space: nowrap; }
.tag { display: inline-block; justify-self: start; padding: .12rem .6rem; border-radius: 99px; background: #f3e3cd; color: #7a430f; font-size: .78rem; font-weight: 600; }

.product { display: grid; gap: 2rem; }
.product .art { border-radius: 16px; border: 1px solid var(--line); }
.stack { display: grid; gap: 1rem; align-content: start; justify-items: start; }
.product .price { font-size: 1.6rem; }
.note { padding: .8rem 1rem; border-left: 3px solid var(--amber); background: #f8eee0; border-radius: 0 10px 10px 0; font-size: .95rem; }

.button { display: inline-block; padding: .75rem 1.5rem; border: 1px solid var(--leaf); border-radius: 99px; background: var(--leaf); color: #fff; font: 600 1rem system-ui, sans-serif; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--leaf-dark); }
.button.quiet { background: transparent; color: var(--leaf); }
.button.quiet:hover { background: #efe6d8; }
img.code { display: block; width: min(17rem, 100%); margin-inline: auto; border-radius: 10px; image-rendering: pixelated; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }

.panel { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.panel + .panel, .panels > * + * { margin-top: 1.25rem; }
.line { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: 1rem; align-items: center; }
.line .art { border-radius: 10px; }
form.fields { display: grid; gap: 1.1rem; }
label { display: grid; gap: .35rem; font-weight: 600; font-size: .95rem; }
input, select, textarea { width: 100%; padding: .7rem .85rem; border: 1px solid #cfc2b1; border-radius: 10px; background: #fff; color: inherit; font: 1rem system-ui, sans-serif; }
input[type='number'] { width: 7rem; }
input[aria-invalid='true'] { border-color: var(--bad); background: #fdf3f0; }
.fault { color: var(--bad); font-weight: 500; font-size: .9rem; }

.state { display: grid; gap: .5rem; margin-bottom: 1.5rem; }
.state .actions { margin-top: .6rem; }
.state .mark { font-weight: 600; font-size: .85rem; letter-spacing: .04em; }
.state.good .mark { color: var(--good); }
.state.bad .mark { color: var(--bad); }
.state.wait .mark { color: var(--amber); }
.notice { margin-bottom: 1.25rem; padding: .8rem 1rem; border-radius: 10px; background: #e8efe4; border: 1px solid #c9d8c4; }
dl { display: grid; grid-template-columns: fit-content(65%) minmax(0, 1fr); row-gap: .45rem; margin: 0; }
dt { color: var(--soft); padding-right: 1rem; }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.total { border-top: 1px solid var(--line); padding-top: .6rem; font-weight: 600; }
.timeline { list-style: none; margin: 0; padding: 0; }
.timeline li { position: relative; padding: 0 0 1rem 1.5rem; }
.timeline li::before { content: ''; position: absolute; left: .2rem; top: .5rem; width: .6rem; height: .6rem; border-radius: 50%; background: var(--leaf); }
.timeline li[data-tone='bad']::before { background: var(--bad); }
.timeline li:not(:last-child)::after { content: ''; position: absolute; left: .46rem; top: 1.2rem; bottom: -.4rem; width: 1px; background: var(--line); }
.timeline li:last-child { padding-bottom: 0; }
.rows { list-style: none; margin: 0; padding: 0; }
.rows li { display: flex; flex-wrap: wrap; gap: .6rem 1.25rem; align-items: center; justify-content: space-between; padding-block: .9rem; border-top: 1px solid var(--line); }
.rows li:first-child { padding-top: 0; border-top: 0; }
.rows li:last-child { padding-bottom: 0; }
.rows li > div { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; display: grid; gap: .2rem; }
.rows .button, .head .button { padding: .4rem 1.1rem; font-size: .92rem; }
.head { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; justify-content: space-between; }
.staff { border-style: dashed; background: transparent; }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, monospace; }

@media (min-width: 48rem) {
  .product { grid-template-columns: 1.1fr 1fr; gap: 3rem; align-items: center; }
  main { padding-block: 3rem 4.5rem; }
}
@media (max-width: 34rem) {
  .top p { display: none; }
  .button { width: 100%; text-align: center; }
  .actions form { width: 100%; }
  .line { grid-template-columns: 4rem minmax(0, 1fr) auto; gap: .75rem; }
  .line h2, .line .price { font-size: 1.05rem; }
}
`;
