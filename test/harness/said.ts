import type { Page } from 'playwright-core'
import { foreignWordsIn } from '../../bff/dashboard/locales/foreign-words.ts'
import { type LanguageCode, languageNames } from '../../bff/dashboard/locales/locale.ts'

const others = (Object.keys(languageNames) as LanguageCode[]).filter((code) => code !== 'en')

/** One right-to-left language, one with long words, one without spaces; nightly all. */
export const visitedLanguages =
  process.env['QUICK'] === '1' ? others.filter((code) => ['ar', 'de', 'zh'].includes(code)) : others

/**
 * URLs, keys, names of the shop, its till, networks, programs and commands, ids, language codes in snippets, and parts of times.
 */
const names =
  /https?:\/\/\S+|\b[a-z]{2}_(?:(?:live|test)_[\w-]+|[\w-]{16,})|Corner Coffee|\bCounter\b|^\s*C\s*$|^\s*node\s*$|^\s*[a-z]{2}\s*$|Devnet(?: B)?|SQLite|stablecoin-checkout(?: (?:backup|export))?|\b0x[\da-f…]+|\b[ap]m\b|\b[\da-f]{8}-[\da-f-]{27}|\/[\w./-]+\.key\b/gi

/** Names that the set-up page shows: its owner, test networks and sources of rates. */
const setupNames =
  /\bAda\b|(?:\b(?:Arbitrum|Base|OP) )?\bSepolia\b|Polygon Amoy|Avalanche Fuji|\bCoinbase\b|\bKraken\b/g

/** The person's name; in the audit log the role is in lower case. */
const person = /^\s*Owner\s*$/

/** Runs in the page: its text, including text for screen readers, except in code and in other languages. */
function said(): string[] {
  const own = document.documentElement.lang
  const found: string[] = []
  const read = (node: Node): void => {
    if (node instanceof Text) found.push(node.data)
    if (node instanceof Element) {
      if (/^(?:style|script|code|pre|svg|wa-icon)$/.test(node.localName)) return
      if (node.getAttribute('translate') === 'no' || (node.getAttribute('lang') ?? own) !== own) return
      for (const name of ['aria-label', 'label', 'title', 'placeholder', 'alt', 'hint'])
        found.push(node.getAttribute(name) ?? '')
      for (const child of node.shadowRoot?.childNodes ?? []) read(child)
    }
    for (const child of node.childNodes) read(child)
  }
  read(document.body)
  return found.filter((text) => text.trim() !== '')
}

/** A page's faults for a reader of this language: English words, and sideways scrolling. `where` names the page. */
export async function faultsFor(language: LanguageCode, page: Page, where: string): Promise<string[]> {
  const foreign = foreignWordsIn(language)
  const words = (await page.evaluate(said)).flatMap((text) =>
    foreign(text.replaceAll(names, ' ').replaceAll(setupNames, ' ').replace(person, ' ')).map(
      (word) => `${where}: ${word} (${text.trim()})`,
    ),
  )
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  return overflow > 0 ? [...words, `${where}: scrolls sideways by ${overflow} px`] : words
}
