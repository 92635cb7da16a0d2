import type { Context } from 'hono'
import { html } from 'hono/html'
import { type Env, setHeader } from '../access/context/env.ts'
import { frame, stylesOf } from '../checkout/pay-page/page-frame.ts'
import { languageOf } from '../checkout/pay-page/page-language.ts'
import { type NoticeTexts, noticeTexts } from './texts/notice-texts.ts'

const policy = [
  "default-src 'none'",
  `style-src ${stylesOf(null)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page of a signed link, without scripts. */
export function showNoticePage(
  c: Context<Env>,
  status: 200 | 404,
  heading: 'stopTitle' | 'confirmTitle',
  body: (texts: NoticeTexts) => unknown,
) {
  const language = languageOf(c)
  const texts = noticeTexts[language]
  setHeader(c, 'Content-Security-Policy', policy)
  setHeader(c, 'Referrer-Policy', 'no-referrer')
  setHeader(c, 'Cache-Control', 'no-store')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  setHeader(c, 'Vary', 'Accept-Language')
  const title = texts[heading]
  const framed = { language, shop: null, origin: null, title, preview: null, hasHeading: true }
  return c.html(frame(framed, html`<section class="card"><h1>${title}</h1>${body(texts)}</section>`), status)
}
