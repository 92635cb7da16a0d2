import type { Dispatcher } from 'undici'
import webPush from 'web-push'
import { plain } from '../../checkout/pay-page/page-language.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { loadAccount } from '../../merchant/account-store.ts'
import { postWebhook, type Result } from '../../webhook/send/post.ts'
import { type Targets, targetFault } from '../../webhook/send/target.ts'
import type { Channel } from '../channels/channel-store.ts'
import { mailHtml, mailText, noticeMailBody } from '../mail/mail-body.ts'
import type { SendMail, SendResult } from '../mail/smtp.ts'
import type { Message } from '../outbox/notice-message.ts'
import { chatRequest } from './chat-url.ts'
import { readPushKeys } from './push-key-store.ts'
import type { PushSubscription } from './push-subscription.ts'

const timeoutMs = 15_000
/** How long a push service keeps a notice for a browser that is offline. */
const pushSeconds = 24 * 60 * 60
/** Push services accept 4,096 encrypted bytes. */
const pushTextMax = 300

/** The result of sending one message. `isGone`: the browser has ended its push subscription. */
type Sent = SendResult | { isSent: false; isFinal: true; error: string; isGone: true }

type Outgoing = {
  channel: Channel
  message: Message
  /** The same for every attempt. */
  messageId: string
  stopUrl: string
}

type Deps = {
  db: Db
  runtime: Runtime
  vault: Vault
  /** Null: no mail is configured. */
  sendMail: SendMail | null
  targets: Targets
  /** Refuses hosts that are not public. */
  agent: Dispatcher
  /** Named in the footer of mails and as the contact for push services. Null: mails name the channel's origin. */
  publicUrl: string | null
}

export type SendNotice = (outgoing: Outgoing, signal: AbortSignal) => Promise<Sent>

/** Sends one message to one channel. Never throws; errors contain neither the target nor its response. */
export function createSenders(deps: Deps): SendNotice {
  const { vault, sendMail, targets, agent, publicUrl } = deps

  async function post(url: string, headers: Record<string, string>, body: string | Buffer, signal: AbortSignal) {
    return await postWebhook(
      agent,
      { url, headers: { 'user-agent': 'stablecoin-checkout', ...headers }, body },
      timeoutMs,
      signal,
    )
  }

  async function push(target: string, { message, messageId, stopUrl }: Outgoing, signal: AbortSignal): Promise<Sent> {
    const subscription = JSON.parse(target) as PushSubscription
    if (targetFault(subscription.endpoint, targets) !== undefined) return refused('not a public address')
    const payload = JSON.stringify({
      title: message.title.slice(0, pushTextMax),
      body: message.lines.join('\n').slice(0, pushTextMax),
      url: message.link.url,
      stopUrl,
      stopLabel: message.stopLabel,
      tag: messageId,
      lang: message.language,
    })
    const { publicKey, privateKey } = await readPushKeys(deps)
    const subject = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:owner@invalid.example'
    const details = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: { subject, publicKey, privateKey },
      TTL: pushSeconds,
      urgency: 'high',
      topic: messageId,
      contentEncoding: 'aes128gcm',
    })
    const headers = Object.fromEntries(
      Object.entries(details.headers)
        .filter(([name]) => name !== 'Content-Length')
        .map(([name, value]) => [name, String(value)]),
    )
    const result = await post(details.endpoint, headers, details.body ?? Buffer.alloc(0), signal)
    const isGone = result !== undefined && 'code' in result && (result.code === 404 || result.code === 410)
    return isGone ? { isSent: false, isFinal: true, error: 'the browser has ended it', isGone } : sentBy(result)
  }

  async function chat(kind: 'telegram' | 'slack', target: string, outgoing: Outgoing, signal: AbortSignal) {
    const { title, lines, link, stopLabel } = outgoing.message
    const text = [title, ...lines, link.url, `${stopLabel}: ${outgoing.stopUrl}`].join('\n')
    const request = chatRequest(kind, target, text)
    if (!request) return refused('not a URL of this service')
    return sentBy(await post(request.url, { 'content-type': 'application/json' }, request.body, signal))
  }

  async function mail(to: string, { message, messageId, stopUrl, channel }: Outgoing): Promise<Sent> {
    if (!sendMail) return refused('no mail is configured')
    const { host, hostname } = new URL(publicUrl ?? channel.origin)
    const shop = plain((await deps.db.read((tx) => loadAccount(tx, channel.merchantId)))?.name ?? '')
    const body = noticeMailBody(message, stopUrl, `${shop} · ${host}`)
    return await sendMail({
      to,
      fromName: shop,
      subject: message.title,
      text: mailText(body),
      html: mailHtml(body),
      messageId: `<${messageId}@${hostname}>`,
      stopUrl,
    })
  }

  return async (outgoing, signal) => {
    const { id, kind, target: sealed } = outgoing.channel
    try {
      const target = vault.open(sealed, id)
      if (kind === 'email') return await mail(target, outgoing)
      return kind === 'push' ? await push(target, outgoing, signal) : await chat(kind, target, outgoing, signal)
    } catch (error) {
      return { isSent: false, isFinal: false, error: error instanceof Error ? error.name : 'unknown' }
    }
  }
}

const refused = (error: string): Sent => ({ isSent: false, isFinal: true, error })

/** Another attempt would be refused after a 4xx, except 408 and 429: the chat or the key is gone. */
function sentBy(result: Result | undefined): Sent {
  if (result === undefined) return { isSent: false, isFinal: false, error: 'stopped' }
  if ('error' in result) return { isSent: false, isFinal: false, error: result.error }
  const { code } = result
  if (code >= 200 && code < 300) return { isSent: true }
  return { isSent: false, isFinal: code >= 400 && code < 500 && code !== 408 && code !== 429, error: `HTTP ${code}` }
}
