import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allTexts } from './all-texts.ts'
import type { LanguageCode } from './locale.ts'

const english = await allTexts('en')

export const plural = /\{(\d), plural,((?: \w+ \{[^{}]*\})+)\}/g

/** A text without its values, and with all its plural forms. */
export const wordsOnly = (text: string) =>
  text
    .replace(plural, (_, _place, forms: string) => forms.replaceAll(/(?:^|\s)\w+ \{([^{}]*)\}/g, ' $1 '))
    .replaceAll(/\{\d\}/g, ' ')

/** Names of products, settings, commands and formats, which no language translates, and URLs. */
const verbatim =
  /\/api\b|synchronous=|\b\dxx\b|\bx402\b|Ctrl\+C|⌘C|\(smart account\)|https?:\/\/\S*|relay\.link|name@example\.com|@BotFather|“[^”]*”|[a-z]+\.[a-z]+\b|\b\w*[a-z][A-Z]\w*|\b\w*_\w*|\b[A-Z\d]{2,}s?\b|\b(?:stablecoin-checkout export|wallets addresses|deploy|salt|xpub|fsync|factory|splitter|permit|authorization|null|on|mail|localhost|https|stablecoin-checkout backup)\b|\b(?:Access-Control(?:-Allow-Origin)?|BTCPay(?: Server)?|Caddy|Circle|Ethereum|Base|Solana|Tron|Relay|Telegram|Slack|Permit2|Ctrl)\b/g

const latin = /[\p{Script=Latin}][\p{Script=Latin}’-]*/gu
const latinWords = (text: string) =>
  [...wordsOnly(text).replaceAll(verbatim, ' ').matchAll(latin)].map(([word]) => word.toLowerCase())

const englishWords = new Set([...english.values()].flatMap(latinWords).filter((word) => word.length > 1))

type Glossary = { refused: string[]; shared: Set<string> }

export function glossaryOf(language: string): Glossary {
  const page = readFileSync(fileURLToPath(new URL(`../../../docs/glossary/${language}.md`, import.meta.url)), 'utf8')
  const [table = '', shared = ''] = page.split('## The same as in English')
  const refused = [...table.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm)]
    .slice(2)
    .flatMap(([, cell = '']) => cell.split(','))
  return {
    refused: refused.map((word) => word.trim()).filter((word) => word !== ''),
    shared: new Set([...shared.matchAll(/[^\s,]+/g)].map(([word]) => word)),
  }
}

/** Finds words of English that the glossary of a language does not share. Of a script that is not Latin: every Latin word. */
export function foreignWordsIn(language: LanguageCode): (text: string) => string[] {
  const { shared } = glossaryOf(language)
  const isLatin = !['ar', 'hi', 'zh'].includes(language)
  const isEnglish = (word: string) => (isLatin ? word.length > 1 && englishWords.has(word) : true)
  return (text) => latinWords(text).filter((word) => isEnglish(word) && !shared.has(word))
}
