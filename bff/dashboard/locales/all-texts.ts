import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
  const home: Module = await import('../../src/system/home-page.ts').then(({ homeTexts }) => ({
    home: homeTexts[language],
  }))
  const modules: [string, Module][] = [
    ['element', await import(`../../../widget/src/locales/${language}.ts`)],
    ['pages', await import(`../../src/checkout/pay-page/texts/${language}.ts`)],
    ['receipt', await import(`../../src/checkout/pay-page/receipt/texts/${language}.ts`)],
    ['refund page', await import(`../../src/checkout/refund-page/texts/${language}.ts`)],
    ['notices', await import(`../../src/notice/texts/${language}.ts`)],
    ['home page', home],
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
