import type { FindingTexts } from './en/findings.ts'
import { currentLanguage, fill, isolated, type LanguageCode } from './locale.ts'

export type FindingTextKey = keyof FindingTexts

/** Long, and shown on one page: they are no part of the dashboard's first load. */
const languages: Readonly<Record<LanguageCode, () => Promise<{ findings: FindingTexts }>>> = {
  ar: () => import('./ar/findings.ts'),
  de: () => import('./de/findings.ts'),
  en: () => import('./en/findings.ts'),
  es: () => import('./es/findings.ts'),
  fr: () => import('./fr/findings.ts'),
  hi: () => import('./hi/findings.ts'),
  id: () => import('./id/findings.ts'),
  pt: () => import('./pt/findings.ts'),
  sw: () => import('./sw/findings.ts'),
  tr: () => import('./tr/findings.ts'),
  vi: () => import('./vi/findings.ts'),
  zh: () => import('./zh/findings.ts'),
}

let texts: FindingTexts | undefined

/** Call before the first {@link tFinding}. */
export async function loadFindingTexts(): Promise<void> {
  texts ??= (await languages[currentLanguage()]()).findings
}

/** The text in the reader's language; null for a code that a newer service has. */
export function tFinding(key: string, values: readonly (string | number)[] = []): string | null {
  if (texts === undefined || !Object.hasOwn(texts, key)) return null
  return fill(
    texts[key as FindingTextKey],
    values.map((value) => isolated(String(value))),
  )
}
