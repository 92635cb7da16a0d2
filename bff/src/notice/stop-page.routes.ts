import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { type Env, setHeader } from '../access/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { frame, stylesOf } from '../checkout/pay-page/page-frame.ts'
import { fill, languageOf } from '../checkout/pay-page/page-language.ts'
import type { Channels } from './channels/channels.ts'
import { kindLabels } from './outbox/notice-message.ts'
import { isStops, type StopLinks } from './stop-links.ts'
import { noticeTexts } from './texts/notice-texts.ts'

const policy = [
  "default-src 'none'",
  `style-src ${stylesOf(null)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Deps = {
  channels: Channels
  stopLinks: StopLinks
  limits: Pick<RateLimits, 'unauthenticated'>
}

/**
 * The page behind "stop these notices". Opening it changes nothing, because mail programs open links by themselves; its buttons, and the
 * one request of a mail program (RFC 8058), do.
 */
export function stopPageRoutes(app: OpenAPIHono<Env>, { channels, stopLinks, limits }: Deps) {
  const path = '/notices/stop/:channelId/:stops/:mac'

  function read(c: Context<Env>) {
    const { channelId = '', stops = '', mac = '' } = c.req.param() as Record<string, string>
    if (!z.uuid().safeParse(channelId).success || !isStops(stops)) return undefined
    return stopLinks.isGood(channelId, stops, mac) ? { channelId, stops } : undefined
  }

  function show(c: Context<Env>, status: 200 | 404, body: (texts: (typeof noticeTexts)['en']) => unknown) {
    const language = languageOf(c)
    const texts = noticeTexts[language]
    setHeader(c, 'Content-Security-Policy', policy)
    setHeader(c, 'Referrer-Policy', 'no-referrer')
    setHeader(c, 'Cache-Control', 'no-store')
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    setHeader(c, 'Vary', 'Accept-Language')
    const title = texts.stopTitle
    const framed = { language, shop: null, origin: null, title, preview: null, hasHeading: true }
    return c.html(frame(framed, html`<section class="card"><h1>${title}</h1>${body(texts)}</section>`), status)
  }

  const unknown = (c: Context<Env>) => show(c, 404, (texts) => html`<p>${texts.stopUnknown}</p>`)

  app.get(path, limits.unauthenticated, (c) => {
    const asked = read(c)
    if (!asked) return unknown(c)
    return show(c, 200, (texts) => {
      const button = (value: string, label: string) =>
        html`<form method="post"><button name="stop" value="${value}">${label}</button></form>`
      const { stops } = asked
      const kind = stops === 'all' ? '' : button(stops, fill(texts.stopKind, texts[kindLabels[stops]]))
      return html`${kind}${button('all', texts.stopAll)}`
    })
  })

  app.post(path, limits.unauthenticated, async (c) => {
    const asked = read(c)
    if (!asked) return unknown(c)
    const { stop } = await c.req.parseBody()
    const isStopped = await channels.stop(asked.channelId, stop === 'all' ? 'all' : asked.stops)
    return isStopped ? show(c, 200, (texts) => html`<p role="status">${texts.stopped}</p>`) : unknown(c)
  })
}
