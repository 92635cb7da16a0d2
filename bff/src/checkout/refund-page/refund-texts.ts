import type { PageLanguage } from '../pay-page/page-language.ts'
import { texts as ar } from './texts/ar.ts'
import { texts as de } from './texts/de.ts'
import { texts as en, type RefundTexts } from './texts/en.ts'
import { texts as es } from './texts/es.ts'
import { texts as fr } from './texts/fr.ts'
import { texts as hi } from './texts/hi.ts'
import { texts as id } from './texts/id.ts'
import { texts as pt } from './texts/pt.ts'
import { texts as sw } from './texts/sw.ts'
import { texts as tr } from './texts/tr.ts'
import { texts as vi } from './texts/vi.ts'
import { texts as zh } from './texts/zh.ts'

export const refundTexts: Readonly<Record<PageLanguage, RefundTexts>> = {
  ar,
  de,
  en,
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
