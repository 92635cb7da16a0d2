import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { sessionOf } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBody, errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { pageTexts } from '../../checkout/pay-page/page-language.ts'
import { iso } from '../../core/runtime.ts'
import { addressMax } from '../mail/mail-settings.ts'
import { channelKinds, noticeKinds } from '../notice-kinds.ts'
import { pushSubscription } from '../send/push-subscription.ts'
import type { Channel } from './channel-store.ts'
import { type Channels, channelsMax } from './channels.ts'

const path = '/dashboard/notices'
const tags = ['dashboard'] as ['dashboard']

const kinds = z
  .array(z.enum(noticeKinds))
  .max(noticeKinds.length)
  .transform((chosen) => noticeKinds.filter((kind) => chosen.includes(kind)))
  .openapi({ type: 'array', items: { type: 'string', enum: [...noticeKinds] }, description: 'Empty: none.' })
const language = z
  .enum(Object.keys(pageTexts) as [string, ...string[]])
  .openapi({ description: 'Of the notices.', example: 'en' })

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'session',
  role: 'viewer',
  operationId: 'listNoticeChannels',
  tags,
  summary: 'Where you get notices, and which',
  responses: {
    200: jsonContent(
      'your channels, oldest first',
      z.object({
        success: z.literal(true),
        channels: z.array(
          z
            .object({
              id: z.string(),
              kind: z.enum(channelKinds),
              label: z.string().openapi({ description: 'Without the secret parts.', example: 'a…@shop.example' }),
              kinds: z.array(z.enum(noticeKinds)),
              isConfirmed: z
                .boolean()
                .openapi({ description: 'False: an address whose link nobody has opened. It gets no notices.' }),
              failingSince: time.nullable(),
              createdAt: time,
            })
            .openapi('NoticeChannel'),
        ),
        hasMail: z.boolean().openapi({ description: 'Whether the service has the setting `mail`.' }),
        pushKey: z
          .string()
          .openapi({ description: 'The `applicationServerKey` of push subscriptions.', example: `B${'A'.repeat(86)}` }),
      }),
    ),
    ...errorResponses,
  },
})

const addRoute = defineOperation({
  method: 'post',
  path,
  access: 'session',
  role: 'viewer',
  passkey: 'always',
  operationId: 'addNoticeChannel',
  tags,
  audit: 'noticeChannel.added',
  summary: 'Get notices by e-mail, by push, or in a chat of Telegram or Slack; a first one is sent at once',
  description:
    'An address gets a link, and no notice until it was opened within a day. At most three first messages a day go to one target.',
  request: {
    body: jsonBody(
      z
        .object({
          kind: z.enum(channelKinds),
          email: z.email().max(addressMax).optional().openapi({ description: 'Of kind `email`.' }),
          subscription: pushSubscription
            .optional()
            .openapi({ description: 'Of kind `push`: `PushSubscription.toJSON()`.' }),
          url: z.string().max(300).optional().openapi({
            description:
              'Of kind `telegram`: `https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`. Of kind `slack`: an incoming webhook. Kept sealed.',
          }),
          kinds,
          language,
        })
        .superRefine((body, context) => {
          const field = { email: 'email', push: 'subscription', telegram: 'url', slack: 'url' } as const
          const needed = field[body.kind]
          if (body[needed] === undefined) {
            context.addIssue({ code: 'custom', message: `${needed} is required`, path: [needed] })
          }
        })
        .openapi('AddNoticeChannel'),
    ),
  },
  responses: {
    200: jsonContent('added', z.object({ success: z.literal(true), id: z.string() })),
    ...errorResponses,
    409: jsonContent(`A person has at most ${channelsMax} channels.`, errorBody),
    429: jsonContent('Too many first messages to this target, or of this person, today.', errorBody),
  },
})

const channelParam = z.object({ channelId: z.uuid().openapi({ param: { name: 'channelId', in: 'path' } }) })
const done = { 200: jsonContent('done', z.object({ success: z.literal(true) })), ...errorResponses }

const chooseRoute = defineOperation({
  method: 'patch',
  path: `${path}/{channelId}`,
  access: 'session',
  role: 'viewer',
  operationId: 'chooseNotices',
  tags,
  audit: 'noticeChannel.changed',
  summary: 'Choose the kinds of notices of a channel of yours',
  request: { params: channelParam, body: jsonBody(z.object({ kinds, language })) },
  responses: done,
})

const removeRoute = defineOperation({
  method: 'delete',
  path: `${path}/{channelId}`,
  access: 'session',
  role: 'viewer',
  operationId: 'removeNoticeChannel',
  tags,
  audit: 'noticeChannel.removed',
  summary: 'Remove a channel of yours and its pending notices',
  request: { params: channelParam },
  responses: done,
})

type Deps = {
  channels: Channels
  hasMail: boolean
  pushKey: () => Promise<string>
  pageOf: (c: Context<Env>) => { origin: string }
}

/** The name of a channel in the audit log. */
const placeOf = ({ kind, label }: Pick<Channel, 'kind' | 'label'>): string =>
  kind === 'email' ? label : `${kind} ${label}`

export function channelRoutes(api: Operations, { channels, hasMail, pushKey, pageOf }: Deps) {
  const success = true as const
  const ownerOf = (c: Context<Env>) => {
    const caller = c.get('caller')
    return { personId: sessionOf(caller).personId, merchantId: caller.merchantId }
  }

  api.serve(listRoute, async (c) => {
    const found = await channels.list(ownerOf(c))
    const shown = found.map(({ id, kind, label, kinds: chosen, confirmedAtMs, failingSinceMs, createdAtMs }) => ({
      id,
      kind,
      label,
      kinds: [...chosen],
      isConfirmed: confirmedAtMs !== null,
      failingSince: iso(failingSinceMs),
      createdAt: iso(createdAtMs),
    }))
    return c.json({ success, channels: shown, hasMail, pushKey: await pushKey() }, 200)
  })

  api.serve(addRoute, async (c) => {
    const { kind, email = '', subscription, url = '', ...chosen } = c.req.valid('json')
    const { origin } = pageOf(c)
    const target =
      kind === 'email'
        ? ({ kind, email } as const)
        : kind === 'push' && subscription
          ? ({ kind, subscription } as const)
          : ({ kind: kind === 'slack' ? 'slack' : 'telegram', url } as const)
    const { id, label } = await channels.add(ownerOf(c), target, { ...chosen, origin })
    c.set('change', { subject: placeOf({ kind, label }), after: chosen.kinds.join(' ') })
    return c.json({ success, id }, 200)
  })

  api.serve(chooseRoute, async (c) => {
    const chosen = c.req.valid('json')
    const before = await channels.choose(ownerOf(c), c.req.valid('param').channelId, chosen)
    c.set('change', { subject: placeOf(before), before: before.kinds.join(' '), after: chosen.kinds.join(' ') })
    return c.json({ success }, 200)
  })

  api.serve(removeRoute, async (c) => {
    const removed = await channels.remove(ownerOf(c), c.req.valid('param').channelId)
    c.set('change', { subject: placeOf(removed) })
    return c.json({ success }, 200)
  })
}
