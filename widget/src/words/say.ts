import type { first } from './english.ts'
import type { elsewhere } from './english-elsewhere.ts'
import type { offer } from './english-offer.ts'
import type { screens, shared } from './english-screens.ts'
import type { wallet } from './english-wallet.ts'

/** The build writes a number in place of each name; so they are written out, in `say('…')` and `word('…')` alone. */
export type WordName =
  | keyof typeof first
  | keyof typeof shared
  | keyof typeof screens
  | keyof typeof wallet
  | keyof typeof offer
  | keyof typeof elsewhere
export type Words = { [Name in WordName]?: string }

/** What only some customers come to, in a language: the screens of a wallet and those of paying from another chain. */
export type Later = { [Name in keyof typeof wallet | keyof typeof elsewhere]: string }

/** A language says all that English says. */
export type Translation = { [Name in WordName]: string }

/** What a customer is spoken to in. `words` grows with each file of it that has come. */
export type Language = { code: string; isRtl: boolean; words: Words }

let spoken: Language

/**
 * From here on `say` speaks this. A screen is drawn in one go, so whoever begins to draw says first in which language: two
 * elements on a page may have two, and each file of the build has a `say` of its own.
 */
export function speak(language: Language): void {
  spoken = language
}

/** A sentence with its values in the places `{0}`, `{1}`… of its language. A value is text, whatever stands in it. */
export function say(name: WordName, ...values: (string | number)[]): string {
  return (spoken.words[name] ?? '').replace(/\{(\d)}/g, (_, place) => isolate(String(values[place])))
}

/** A name for `say` later. */
export const word = (name: WordName): WordName => name

/** An amount or a shop's name within a sentence that runs the other way keeps its own order. */
function isolate(value: string): string {
  return spoken.isRtl ? `\u2068${value}\u2069` : value
}

/** With the digits that every wallet and exchange reads, also where a language has others of its own. */
const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(`${spoken.code}-u-nu-latn`, options)

/** Exact decimal text with the language's decimal sign. In no groups: `1,500` is a thousand in one language and one in another. */
export function sayAmount(amount: string): string {
  if (!amount) return amount
  const digits = amount.split('.')[1]?.length ?? 0
  return numbers({ useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    amount as Intl.StringNumericLiteral,
  )
}

const minuteSeconds = 60

/** `45 seconds`, or from a minute on in whole minutes, rounded up. */
export function sayTime(seconds: number): string {
  const [value, unit]: [number, string] =
    seconds < minuteSeconds ? [seconds, 'second'] : [Math.ceil(seconds / minuteSeconds), 'minute']
  return numbers({ style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
