import { createHmac } from 'node:crypto'
import type { CallerSession } from '../../access/context/caller.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { type Targets, targetFault } from '../../webhook/send/target.ts'
import { type ChannelKind, type NoticeKind, noticeKinds } from '../notice-kinds.ts'
import { dropWaiting, insertNotice } from '../outbox/notice-store.ts'
import { chatLabel } from '../send/chat-url.ts'
import type { PushSubscription } from '../send/push-subscription.ts'
import { type Addition, countAdditions, insertAddition } from './addition-store.ts'
import {
  type Channel,
  confirmChannel,
  deleteChannel,
  insertChannel,
  listChannels,
  loadStoppable,
  saveKinds,
} from './channel-store.ts'

/** Room for a phone, a computer, an e-mail address, and a chat or two. */
export const channelsMax = 10

export const dayMs = 24 * 60 * 60_000

/** First messages a day, also to removed channels: they are sent before the owner of the address has agreed. */
const dailyMax = { ofTarget: 3, ofPerson: 20, ofMerchant: 100 }

/** Where a new channel sends. */
export type Target =
  | { kind: 'email'; email: string }
  | { kind: 'push'; subscription: PushSubscription }
  | { kind: 'telegram' | 'slack'; url: string }

type Deps = { db: Db; runtime: Runtime; vault: Vault; webhookTargets: Targets; hasMail: boolean }

type Owner = Pick<CallerSession, 'personId'> & { merchantId: MerchantId }

export type Channels = ReturnType<typeof createChannels>

/** The channels of a person. Nobody else can read or change them. */
export function createChannels({ db, runtime, vault, webhookTargets, hasMail }: Deps) {
  const key = vault.derive('targets of notices')
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  /** @throws {ValidationError} when messages must not be sent to the target. */
  function verified(target: Target): { text: string; label: string } {
    if (target.kind === 'email') {
      if (!hasMail) throw new ValidationError('kind email requires the setting "mail" of the service')
      return { text: target.email, label: cutAddress(target.email) }
    }
    if (target.kind === 'push') {
      const { endpoint } = target.subscription
      const fault = targetFault(endpoint, webhookTargets)
      if (fault !== undefined) throw new ValidationError(`subscription.endpoint ${fault}`)
      return { text: JSON.stringify(target.subscription), label: new URL(endpoint).host }
    }
    const label = chatLabel(target.kind, target.url)
    if (label !== undefined) return { text: target.url, label }
    throw new ValidationError(`url must be ${forms[target.kind]}`)
  }

  /** @throws {PaymentError} NOT_FOUND, also for another person's channel. */
  async function own(tx: Tx, { personId, merchantId }: Owner, id: string): Promise<Channel> {
    const channel = (await listChannels(tx, personId)).find((one) => one.id === id)
    if (channel?.merchantId === merchantId) return channel
    throw new PaymentError('NOT_FOUND', 'You have no such channel.')
  }

  /** Bounds additions, so that nobody fills a stranger's mailbox by adding and removing channels. @throws {PaymentError} NOTICE_LIMIT */
  async function countIn(tx: Tx, addition: Addition): Promise<void> {
    const since = addition.createdAtMs - dayMs
    const added = await countAdditions(tx, addition, since, dailyMax.ofMerchant)
    const isOver = (Object.keys(dailyMax) as (keyof typeof dailyMax)[]).some((key) => added[key] >= dailyMax[key])
    if (isOver) {
      throw new PaymentError('NOTICE_LIMIT', 'Too many channels were added today.', { retryAfterSeconds: 3_600 })
    }
    await insertAddition(tx, addition)
  }

  return {
    list: ({ personId }: Owner) => db.read((tx) => listChannels(tx, personId)),

    /**
     * Adds a channel and sends a first notice to it. An e-mail address gets nothing else until its link is opened. A confirmed
     * channel with the same target is changed instead, and an unconfirmed one is replaced.
     * @returns the id and label of the channel.
     * @throws {PaymentError} TOO_MANY_CHANNELS, NOTICE_LIMIT
     */
    async add(
      { personId, merchantId }: Owner,
      target: Target,
      chosen: { kinds: readonly NoticeKind[]; language: string; origin: string },
    ): Promise<{ id: string; label: string }> {
      const { text, label } = verified(target)
      const id = runtime.newUuid()
      // Mail servers ignore the case of an address, so the bounds must too.
      const targetDigest = digestOf(`${target.kind} ${target.kind === 'email' ? text.toLowerCase() : text}`)
      return await db.write(async (tx) => {
        const createdAtMs = runtime.nowMs()
        const existing = await listChannels(tx, personId)
        const same = existing.find((one) => one.targetDigest === targetDigest)
        if (same && same.confirmedAtMs !== null) {
          await saveKinds(tx, same.id, chosen.kinds, chosen.language)
          return { id: same.id, label }
        }
        if (!same && existing.length >= channelsMax) {
          throw new PaymentError('TOO_MANY_CHANNELS', `You already have ${channelsMax} channels, the maximum.`)
        }
        await countIn(tx, { merchantId, personId, targetDigest, createdAtMs })
        if (same) await deleteChannel(tx, same.id)
        await insertChannel(tx, {
          id,
          merchantId,
          personId,
          kind: target.kind,
          target: vault.seal(text, id),
          targetDigest,
          label,
          ...chosen,
          // Whoever sends a browser's subscription or a chat's key owns it; an e-mail address may be a stranger's.
          confirmedAtMs: target.kind === 'email' ? null : createdAtMs,
          failingSinceMs: null,
          createdAtMs,
        })
        await insertNotice(tx, { channelId: id, subject: 'test', kind: 'test', facts: { about: 'test' }, createdAtMs })
        return { id, label }
      })
    },

    /** Called through a signed link. @returns false when the channel no longer exists, or waited a day for confirmation. */
    confirm: (id: string): Promise<boolean> =>
      db.write((tx) => confirmChannel(tx, id, runtime.nowMs() - dayMs, runtime.nowMs())),

    /** Changes the kinds and the language. @returns the channel as it was. */
    async choose(
      owner: Owner,
      id: string,
      chosen: { kinds: readonly NoticeKind[]; language: string },
    ): Promise<Channel> {
      return await db.write(async (tx) => {
        const before = await own(tx, owner, id)
        await saveKinds(tx, id, chosen.kinds, chosen.language)
        for (const kind of before.kinds) if (!chosen.kinds.includes(kind)) await dropWaiting(tx, id, kind)
        return before
      })
    },

    /** @returns the channel as it was. */
    async remove(owner: Owner, id: string): Promise<Channel> {
      return await db.write(async (tx) => {
        const removed = await own(tx, owner, id)
        await deleteChannel(tx, id)
        return removed
      })
    },

    /** Called through a signed link. @returns false when the channel no longer exists. */
    async stop(id: string, stops: NoticeKind | 'all'): Promise<boolean> {
      return await db.write(async (tx) => {
        const channel = await loadStoppable(tx, id)
        if (!channel) return false
        const kinds = stops === 'all' ? [] : channel.kinds.filter((kind) => kind !== stops)
        await saveKinds(tx, id, kinds, channel.language)
        for (const kind of noticeKinds) if (!kinds.includes(kind)) await dropWaiting(tx, id, kind)
        return true
      })
    },
  }
}

const forms: Record<Exclude<ChannelKind, 'email' | 'push'>, string> = {
  telegram: 'https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>',
  slack: 'https://hooks.slack.com/services/…',
}

/** `a…@shop.example`: enough for the person to recognize, and too little to be an address in a stolen database. */
const cutAddress = (address: string): string => `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
