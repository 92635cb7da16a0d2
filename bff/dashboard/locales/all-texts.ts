import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { homeTexts, noticeTexts, pageTexts, receiptTexts, refundTexts } from '@stablecoin-checkout/bff/testing/texts'
import type { LanguageCode } from './locale.ts'

type Module = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Where a text stands: `dashboard/payments status.paid`. */
export type Texts = ReadonlyMap<string, string>

const folder = (language: string) => fileURLToPath(new URL(`./${language}/`, import.meta.url))

/** The numbers of a text's values, in a plural form or not. */
export const placesOf = (text = ''): string =>
  [...new Set([...text.matchAll(/\{(\d)(?:\}|, plural,)/g)].map(([, place]) => place))].sort().join()

/** Every text of ours that a reader of this language can see: element, hosted pages, mails and notices, dashboard, till, set-up. */
export async function allTexts(language: LanguageCode): Promise<Texts> {
  const topics = readdirSync(folder(language)).map((file) => file.replace('.ts', ''))
  const modules: [string, Module][] = [
    ['element', await import(`../../../widget/src/locales/${language}.ts`)],
    ['pages', { texts: pageTexts[language] }],
    ['receipt', { texts: receiptTexts[language] }],
    ['refund page', { texts: refundTexts[language] }],
    ['notices', { texts: noticeTexts[language] }],
    ['home page', { texts: homeTexts[language] }],
  ]
  for (const topic of topics) modules.push([`dashboard/${topic}`, await import(`./${language}/${topic}.ts`)])
  return new Map(
    modules.flatMap(([name, module]) =>
      Object.values(module).flatMap((texts) =>
        Object.entries(texts).map(([key, text]): [string, string] => [`${name} ${key}`, text]),
      ),
    ),
  )
}
