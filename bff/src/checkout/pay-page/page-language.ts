import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Env } from '../../access/context/env.ts'
import { preferredLanguage } from '../../access/http/preferred-language.ts'
import { currencyText } from '../../core/currency-text.ts'
import { printable } from '../../core/printable.ts'
import { texts as ar } from './texts/ar.ts'
import { texts as de } from './texts/de.ts'
import { texts as en, type PageTexts } from './texts/en.ts'
import { texts as es } from './texts/es.ts'
import { texts as fr } from './texts/fr.ts'
import { texts as hi } from './texts/hi.ts'
import { texts as id } from './texts/id.ts'
import { texts as pt } from './texts/pt.ts'
import { texts as sw } from './texts/sw.ts'
import { texts as tr } from './texts/tr.ts'
import { texts as vi } from './texts/vi.ts'
import { texts as zh } from './texts/zh.ts'

/** The hosted pages’ languages, the same as the element’s. */
export const pageTexts = { en, ar, de, es, fr, hi, id, pt, sw, tr, vi, zh } satisfies Record<string, PageTexts>

export type PageLanguage = keyof typeof pageTexts

export const isPageLanguage = (code: string): code is PageLanguage => Object.hasOwn(pageTexts, code)

export const directionOf = (language: PageLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** The language that the customer chose in the URL (`?lang=de`), else the browser's most preferred one of ours, else English. */
export function languageOf(c: Context<Env>): PageLanguage {
  const chosen = c.req.query('lang') ?? ''
  return isPageLanguage(chosen) ? chosen : preferredLanguage(c.req.header('Accept-Language'), isPageLanguage)
}

/** A merchant's text for display: one line, without marks that change the text direction. */
export const plain = (text: string): string => printable(text).replaceAll(/\s+/g, ' ').trim()

/** Maximum characters of a name in titles and previews, which do not wrap. */
const titleNameMax = 60

/** The name for a title, which cannot contain elements: invisible marks isolate right-to-left letters. */
export function titleName(name: string, language: PageLanguage): string {
  const letters = [...plain(name)]
  const short = letters.length > titleNameMax ? `${letters.slice(0, titleNameMax - 1).join('')}…` : letters.join('')
  const isMixed = directionOf(language) === 'rtl' || /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(short)
  return isMixed ? `\u2068${short}\u2069` : short
}

/** The text with its values in place of `{0}`, `{1}`. */
export const fill = (text: string, ...values: string[]): string =>
  text.replace(/\{(\d)}/g, (_, place) => values[Number(place)] ?? '')

/** Like `fill`, as markup: each value keeps its own text direction. */
export const fillHtml = (text: string, ...values: unknown[]) =>
  text.split(/\{(\d)}/).map((part, at) => (at % 2 === 0 ? part : html`<bdi>${values[Number(part)]}</bdi>`))

/** Latin digits in every language, as in the element, because every wallet and exchange reads them. */
const numberLocale = (language: PageLanguage): string => `${language}-u-nu-latn`

/** Exact decimal text in the language's form, digit by digit, never as a float. */
export function formatTokens(amount: string, language: PageLanguage): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(numberLocale(language), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as Intl.StringNumericLiteral)
}

/** Exact decimal text in a currency, never rounded. @param currency - ISO 4217 code. */
export function formatPrice(price: string, currency: string, language: PageLanguage): string {
  const format = (more: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(numberLocale(language), { style: 'currency', currency, ...more })
  const usual = format({}).resolvedOptions().maximumFractionDigits ?? 0
  const decimals = Math.max(usual, price.split('.')[1]?.length ?? 0)
  return currencyText(format({ maximumFractionDigits: decimals }).format(price as Intl.StringNumericLiteral))
}

/** `USDC or USDT` in the language. */
export const anyOf = (names: readonly string[], language: PageLanguage): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(names)

/** The time in UTC with the zone's name; the page's script rewrites it in the customer's time zone. */
export function timeHtml(iso: string, language: PageLanguage) {
  const format = new Intl.DateTimeFormat(numberLocale(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return html`<time datetime="${iso}">${format.format(Date.parse(iso))} UTC</time>`
}
