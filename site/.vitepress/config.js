import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { oneSearchIndex, russianSearch, russianTexts, titleInRussian, toEnglish } from './russian.js';
import { wordsOf } from './words-of.js';

const workspace = fileURLToPath(new URL('../../', import.meta.url));

/** The pages, by their path in the repository, and where each stands on the site. */
const rewrites = {
  'README.md': 'index.md',
  'README.ru.md': 'ru/index.md',
  'libs/payments/README.md': 'package.md',
  'libs/sandbox/README.md': 'sandbox.md',
  'libs/board/README.md': 'board-package.md',
  'docs/decisions/README.md': 'decisions/index.md',
  'docs/decisions/:page.md': 'decisions/:page.md',
  'docs/:page.md': ':page.md',
  ':page.md': ':page.md',
};

const isPage = (path) =>
  path.endsWith('.md') &&
  (/^(docs\/)?(decisions\/)?[^/]+$/.test(path) || path in rewrites) &&
  existsSync(join(workspace, path));

const isFile = (path) => existsSync(join(workspace, path)) && statSync(join(workspace, path)).isFile();

/** As the pages of a repository make them, so that a link means the same here and there. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** What pages link to and is no page, by its place on the site: pictures as they are, all else, such as a test, as text. */
const linkedFiles = new Map();

const placeOf = (path) => rewrites[path] ?? path.replace(/^docs\//, '');
const siteOf = (path) => placeOf(path).replace(/(^|\/)index\.md$/, '$1');

/** What a link to another page leads to, as a path of the repository; null where there is nothing to show, such as a folder. */
function targetOf(link, page) {
  const [name, anchor] = decodeURI(link).split('#');
  const path = posix.join(posix.dirname(page), name);
  if (isPage(path)) return { path, isPage: true, hash: anchor === undefined ? '' : `#${anchor}` };
  if (!isFile(path)) return null;
  const place = path.endsWith('.png') ? path : `${path}.txt`;
  linkedFiles.set(place, path);
  return { path: place, isPage: false, hash: '' };
}

const pageOf = ({ path, realPath }) => posix.normalize(realPath ?? path).slice(workspace.length);

function leadLinks(md) {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const page = pageOf(env);
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.attrGet('href');
        if (token.type !== 'link_open' || href === null || /^(\w+:|#)/.test(href)) continue;
        const target = targetOf(href, page);
        if (target !== null) {
          token.attrSet('href', `/${target.isPage ? siteOf(target.path) : target.path}${target.hash}`);
          // A file is no page that the site's own script could show.
          if (!target.isPage) token.attrSet('target', '_self');
          continue;
        }
        const end = children.findIndex(({ type }, at) => at > index && type === 'link_close');
        for (const part of [token, children[end]])
          Object.assign(part, { type: 'text', tag: '', attrs: null });
      }
    }
  });
}

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** The table at the end of a README is the one list of pages in its language. */
function groupsIn(readme, heading) {
  const [, table] = readFileSync(join(workspace, readme), 'utf8').split(`| ${heading} |\n`);
  return [...table.matchAll(/^\| ([^|-][^|]*) \| (.*) \|$/gm)].map(([, reader, links]) => ({
    text: capital(reader),
    items: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, path]) => ({
      text: capital(text),
      path,
      link: `/${siteOf(path)}`,
    })),
  }));
}

const groups = groupsIn('README.md', 'for | read');
const sidebar = groups.map(({ text, items }) => ({
  text,
  items: items.map((item) => ({ text: item.text, link: item.link })),
}));
/** All pages but the Russian way in are in English. */
const russianSidebar = groupsIn('README.ru.md', 'для чего | что читать').map(({ text, items }) => ({
  text,
  items: items.map(toEnglish),
}));

const title = 'Holdfast';
const description =
  'A payments module for NestJS applications that charge through the service known as YooKassa.';

/** For programs that read: https://llmstxt.org. */
const llms = [
  `# ${title}`,
  `> ${description}`,
  `## Begin here\n\n- [README](/index.md)\n- [По-русски](/${placeOf('README.ru.md')})`,
  ...groups.map(({ text, items }) =>
    [`## ${text}`, '', ...items.map((item) => `- [${item.text}](/${placeOf(item.path)})`)].join('\n'),
  ),
].join('\n\n');

/** The page as it stands in the repository, its links as on the site. */
async function pageText(path) {
  const text = await readFile(join(workspace, path), 'utf8');
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link) => {
    const target = /^(\w+:|#)/.test(link) ? null : targetOf(link, path);
    if (target === null) return whole;
    return `](/${target.isPage ? placeOf(target.path) : target.path}${target.hash})`;
  });
}

export default defineConfig({
  title,
  description,
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    '{bench,build,coverage,dist,etc,examples,src,test,tools}/**',
    'libs/*/{build,dist,docs,src}/**',
    'libs/*/CHANGELOG.md',
  ],
  outDir: '../build/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites,
  markdown: {
    anchor: { slugify },
    html: false,
    config(md) {
      leadLinks(md);
      titleInRussian(md, (env) => pageOf(env) === 'README.ru.md');
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: { locales: { ru: russianSearch }, miniSearch: { options: { tokenize: wordsOf } } },
    },
    outline: [2, 3],
    sidebar,
    // No other page has a counterpart in the other language.
    i18nRouting: false,
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    ru: {
      label: 'Русский',
      lang: 'ru',
      description: 'Платёжный модуль для приложений на NestJS, которые принимают оплату через ЮKassa.',
      themeConfig: { ...russianTexts, sidebar: russianSidebar },
    },
  },
  vite: { plugins: [oneSearchIndex] },
  async buildEnd({ outDir, pages }) {
    const write = async (path, text) => {
      await mkdir(dirname(join(outDir, path)), { recursive: true });
      await writeFile(join(outDir, path), text);
    };
    for (const path of pages) await write(placeOf(path), await pageText(path));
    for (const [place, path] of linkedFiles) await write(place, await readFile(join(workspace, path)));
    await write('llms.txt', `${llms}\n`);
  },
});
