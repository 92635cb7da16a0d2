import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { Channels } from './channels/channels.ts'
import type { NoticeLinks } from './notice-links.ts'
import { showNoticePage } from './notice-page.ts'

type Deps = {
  channels: Channels
  noticeLinks: NoticeLinks
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** The page of the link that is mailed to a new address. Only its button confirms, because mail programs open links by themselves. */
export function confirmPageRoutes(app: OpenAPIHono<Env>, { channels, noticeLinks, limits }: Deps) {
  const path = '/notices/confirm/:channelId/:mac'

  function read(c: Context<Env>): string | undefined {
    const { channelId = '', mac = '' } = c.req.param() as Record<string, string>
    const isGood = z.uuid().safeParse(channelId).success && noticeLinks.isConfirm(channelId, mac)
    return isGood ? channelId : undefined
  }

  const unknown = (c: Context<Env>) =>
    showNoticePage(c, 404, 'confirmTitle', (texts) => html`<p>${texts.confirmUnknown}</p>`)

  app.get(path, limits.unauthenticated, (c) => {
    if (read(c) === undefined) return unknown(c)
    return showNoticePage(
      c,
      200,
      'confirmTitle',
      (texts) => html`<p>${texts.confirmText}</p><form method="post"><button>${texts.confirmButton}</button></form>`,
    )
  })

  app.post(path, limits.unauthenticated, async (c) => {
    const channelId = read(c)
    if (channelId === undefined || !(await channels.confirm(channelId))) return unknown(c)
    return showNoticePage(c, 200, 'confirmTitle', (texts) => html`<p role="status">${texts.confirmed}</p>`)
  })
}
