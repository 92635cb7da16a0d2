import { createHmac } from 'node:crypto'
import type { CallerSession } from '../../access/caller.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { type Targets, targetFault } from '../../webhook/send/target.ts'
import type { ChannelKind, NoticeKind } from '../notice-kinds.ts'
import { dropWaiting, insertNotice } from '../outbox/notice-store.ts'
import { chatLabel } from '../send/chat-url.ts'
import type { PushSubscription } from '../send/push-subscription.ts'
import { type Channel, deleteChannel, insertChannel, listChannels, loadChannel, saveKinds } from './channel-store.ts'

/** A telephone, a computer, an address, a chat or two. */
export const channelsMax = 10

/** What a channel is asked for with. */
export type Target =
  | { kind: 'email'; email: string }
  | { kind: 'push'; subscription: PushSubscription }
  | { kind: 'telegram' | 'slack'; url: string }

type Deps = { db: Db; runtime: Runtime; vault: Vault; webhookTargets: Targets; hasMail: boolean }

type Owner = Pick<CallerSession, 'personId'> & { merchantId: MerchantId }

export type Channels = ReturnType<typeof createChannels>

/** The channels of a person, which nobody else reads or changes. */
export function createChannels({ db, runtime, vault, webhookTargets, hasMail }: Deps) {
  const key = vault.derive('targets of notices')
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  /** @throws {ValidationError} when nothing may be sent there. */
  function verified(target: Target): { text: string; label: string } {
    if (target.kind === 'email') {
      if (!hasMail) throw new ValidationError('kind email needs the setting mail of the service')
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

  /** @throws {PaymentError} NOT_FOUND, also for a channel of another person. */
  async function own(tx: Tx, { personId, merchantId }: Owner, id: string): Promise<Channel> {
    const channel = await loadChannel(tx, id)
    if (channel?.personId === personId && channel.merchantId === merchantId) return channel
    throw new PaymentError('NOT_FOUND', 'You have no such channel.')
  }

  return {
    list: ({ personId }: Owner) => db.read((tx) => listChannels(tx, personId)),

    /** Adds a channel and sends a first notice to it. @returns its id; of one with this target that is there already, that one's. */
    async add(
      { personId, merchantId }: Owner,
      target: Target,
      chosen: { kinds: readonly NoticeKind[]; language: string; origin: string },
    ): Promise<string> {
      const { text, label } = verified(target)
      const id = runtime.newUuid()
      const targetDigest = digestOf(`${target.kind} ${text}`)
      return await db.write(async (tx) => {
        const existing = await listChannels(tx, personId)
        const same = existing.find((one) => one.targetDigest === targetDigest)
        if (same) {
          await saveKinds(tx, same.id, chosen.kinds, chosen.language)
          return same.id
        }
        if (existing.length >= channelsMax) {
          throw new PaymentError('TOO_MANY_CHANNELS', `You already have ${channelsMax} channels, the maximum.`)
        }
        const createdAtMs = runtime.nowMs()
        await insertChannel(tx, {
          id,
          merchantId,
          personId,
          kind: target.kind,
          target: vault.seal(text, id),
          targetDigest,
          label,
          ...chosen,
          failingSinceMs: null,
          createdAtMs,
        })
        await insertNotice(tx, { channelId: id, subject: 'test', kind: 'test', facts: { about: 'test' }, createdAtMs })
        return id
      })
    },

    async choose(owner: Owner, id: string, chosen: { kinds: readonly NoticeKind[]; language: string }): Promise<void> {
      await db.write(async (tx) => {
        const { kinds: before } = await own(tx, owner, id)
        await saveKinds(tx, id, chosen.kinds, chosen.language)
        for (const kind of before) if (!chosen.kinds.includes(kind)) await dropWaiting(tx, id, kind)
      })
    },

    async remove(owner: Owner, id: string): Promise<void> {
      await db.write(async (tx) => {
        await own(tx, owner, id)
        await deleteChannel(tx, id)
      })
    },

    /** By a signed link. @returns false when there is no such channel any more. */
    async stop(id: string, stops: NoticeKind | 'all'): Promise<boolean> {
      return await db.write(async (tx) => {
        const channel = await loadChannel(tx, id)
        if (!channel) return false
        const kinds = stops === 'all' ? [] : channel.kinds.filter((kind) => kind !== stops)
        await saveKinds(tx, id, kinds, channel.language)
        for (const kind of channel.kinds) if (!kinds.includes(kind)) await dropWaiting(tx, id, kind)
        return true
      })
    },
  }
}

const forms: Record<Exclude<ChannelKind, 'email' | 'push'>, string> = {
  telegram: 'https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>',
  slack: 'https://hooks.slack.com/services/…',
}

/** `a…@shop.example`: the person recognizes it, and a copy of the database holds no address. */
const cutAddress = (address: string): string => `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
