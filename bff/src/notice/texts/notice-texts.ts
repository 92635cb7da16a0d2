import type { PageLanguage } from '../../checkout/pay-page/page-language.ts'
import { texts as ar } from './ar.ts'
import { texts as de } from './de.ts'
import { texts as en, type NoticeTexts } from './en.ts'
import { texts as es } from './es.ts'
import { texts as fr } from './fr.ts'
import { texts as hi } from './hi.ts'
import { texts as id } from './id.ts'
import { texts as pt } from './pt.ts'
import { texts as sw } from './sw.ts'
import { texts as tr } from './tr.ts'
import { texts as vi } from './vi.ts'
import { texts as zh } from './zh.ts'

export type { NoticeTexts }

/** The texts in each language of the hosted pages. */
export const noticeTexts: Readonly<Record<PageLanguage, NoticeTexts>> = {
  en,
  ar,
  de,
  es,
  fr,
  hi,
  id,
  pt,
  sw,
  tr,
  vi,
  zh,
}
