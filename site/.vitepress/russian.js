/** What the site itself says on its Russian page, where VitePress would say it in English. */

/** The texts of the theme. */
export const russianTexts = {
  outline: { level: [2, 3], label: 'На этой странице' },
  docFooter: { prev: 'Предыдущая страница', next: 'Следующая страница' },
  darkModeSwitchLabel: 'Оформление',
  darkModeSwitchTitle: 'Включить тёмное оформление',
  lightModeSwitchTitle: 'Включить светлое оформление',
  sidebarMenuLabel: 'Меню',
  returnToTopLabel: 'Наверх',
  langMenuLabel: 'Выбрать язык',
  skipToContentLabel: 'Перейти к тексту',
};

/** The texts of the search. */
export const russianSearch = {
  translations: {
    button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
    modal: {
      displayDetails: 'Показать подробный список',
      resetButtonTitle: 'Очистить поиск',
      backButtonTitle: 'Закрыть поиск',
      noResultsText: 'Ничего не найдено по запросу',
      footer: {
        selectText: 'открыть',
        selectKeyAriaLabel: 'Enter',
        navigateText: 'выбрать',
        navigateUpKeyAriaLabel: 'стрелка вверх',
        navigateDownKeyAriaLabel: 'стрелка вниз',
        closeText: 'закрыть',
        closeKeyAriaLabel: 'Escape',
      },
    },
  },
};

/** A link of the menu to a page in English, marked as such in the menu and below the text. */
export const toEnglish = ({ text, link }) => ({
  text: `${text} <span class="VPBadge info small" title="страница на английском">EN</span>`,
  docFooterText: `${text} (на английском)`,
  link,
});

/** The titles that are put at headings and blocks of code. */
export function titleInRussian(md, isRussian) {
  md.core.ruler.push('headings-in-russian', ({ tokens, env }) => {
    if (!isRussian(env)) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const label = token.attrGet('aria-label');
      if (label !== null) token.attrSet('aria-label', label.replace('Permalink to', 'Ссылка на раздел'));
    }
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = fence(tokens, index, options, env, self);
    return isRussian(env) ? html.replace('title="Copy Code"', 'title="Скопировать код"') : html;
  };
}

/** VitePress makes one index, of the pages of all languages: the Russian page searches it too. */
export const oneSearchIndex = {
  name: 'one-search-index',
  transform: (code, id) =>
    id === '/@localSearchIndex'
      ? code.replace('export default {', "export default {ru: () => import('@localSearchIndexroot'),")
      : null,
};
