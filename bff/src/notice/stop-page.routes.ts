import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { fill } from '../checkout/pay-page/page-language.ts'
import type { Channels } from './channels/channels.ts'
import { isStops, type NoticeLinks } from './notice-links.ts'
import { showNoticePage } from './notice-page.ts'
import { kindLabels } from './outbox/notice-message.ts'

type Deps = {
  channels: Channels
  noticeLinks: NoticeLinks
  limits: Pick<RateLimits, 'unauthenticated'>
}

/**
 * The page of "stop these notices". Opening it changes nothing, because mail programs open links by themselves. Its buttons
 * stop notices, and so does the one-click request of a mail program (RFC 8058).
 */
export function stopPageRoutes(app: OpenAPIHono<Env>, { channels, noticeLinks, limits }: Deps) {
  const path = '/notices/stop/:channelId/:stops/:mac'

  function read(c: Context<Env>) {
    const { channelId = '', stops = '', mac = '' } = c.req.param() as Record<string, string>
    if (!z.uuid().safeParse(channelId).success || !isStops(stops)) return undefined
    return noticeLinks.isStop(channelId, stops, mac) ? { channelId, stops } : undefined
  }

  const unknown = (c: Context<Env>) => showNoticePage(c, 404, 'stopTitle', (texts) => html`<p>${texts.stopUnknown}</p>`)

  app.get(path, limits.unauthenticated, (c) => {
    const asked = read(c)
    if (!asked) return unknown(c)
    return showNoticePage(c, 200, 'stopTitle', (texts) => {
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
    return isStopped
      ? showNoticePage(c, 200, 'stopTitle', (texts) => html`<p role="status">${texts.stopped}</p>`)
      : unknown(c)
  })
}
