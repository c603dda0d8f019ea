/** WCAG 2.2, 1.4.3: the lowest contrast of a text below this element, opacity counted. */
export const lowestContrast = (below: string) => `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], ground) => [r, g, b].map((part, index) => part * a + ground[index] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255).map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const lineage = (element) => element === null ? [] : [...lineage(element.parentElement), element];
  const contrast = (element) => {
    const line = lineage(element);
    const ground = line.reduce((below, part) => over(parts(getComputedStyle(part).backgroundColor), below), [255, 255, 255]);
    const opacity = line.reduce((all, part) => all * Number(getComputedStyle(part).opacity), 1);
    const [r, g, b, a = 1] = parts(getComputedStyle(element).color);
    const [text, behind] = [over([r, g, b, a * opacity], ground), ground].map(luminance);
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
  };
  const texts = [...document.querySelectorAll(${JSON.stringify(`${below} *`)})]
    .filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== ''));
  return Math.min(...texts.map(contrast));
})()`;
