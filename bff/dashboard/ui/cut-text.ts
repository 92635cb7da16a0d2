import { html, type TemplateResult } from 'lit'

/** Longer texts are cut, so that an order id of a hundred characters leaves room for the amount beside it, and a hash fits on a phone. */
const shownInList = 24

/**
 * A text of unknown length in a list. Long text is cut in the middle, because ids differ at their ends. The whole text is in the title, is
 * read by screen readers and copied, and is shown while the keyboard is at its link (`styles.ts`). Text of words ends in dots
 * at the column's end. An id keeps its own direction, because in Arabic its two ends would change places.
 */
export function cutText(text: string, shownMax = shownInList): TemplateResult | string {
  const characters = [...text]
  if (characters.length <= shownMax) return text
  if (/\s/.test(text)) return html`<span class="prose" title=${text}>${text}</span>`
  const half = shownMax / 2
  const [head, rest, tail] = [
    characters.slice(0, half - 1),
    characters.slice(half - 1, -half),
    characters.slice(-half),
  ].map((part) => part.join(''))
  return html`<span class="cut" dir="auto" translate="no" title=${text}><span class="head">${head}</span><span class="rest">${rest}</span>${tail}</span>`
}
