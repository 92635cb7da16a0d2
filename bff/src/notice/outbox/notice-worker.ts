import { isPageLanguage } from '../../checkout/pay-page/page-language.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { type Channel, deleteChannel, loadChannel, saveHealth } from '../channels/channel-store.ts'
import type { NoticeLinks } from '../notice-links.ts'
import type { SendNotice } from '../send/senders.ts'
import { attemptsMax, delayAfter } from '../send-retry.ts'
import { messageOf } from './notice-message.ts'
import {
  beginAttempt,
  delayNotices,
  dueChannels,
  dueNotices,
  endNotices,
  failNotices,
  type Notice,
  recentMessages,
} from './notice-store.ts'
import { hourMs, planMessages } from './plan-messages.ts'

/**
 * Channels in one pass. Mails go one after another, because a mail server limits connections. The others go at the same time, because
 * people choose their receivers, and one that never responds must not keep the others waiting.
 */
const batchMax = 50
/** A channel whose messages have taken this long, and mails after others that have, go on in the next pass. */
const slowMs = 5_000
/** After a failed message, the channel's other messages wait this long, instead of failing one by one. */
const restMs = 60_000
/** Longer than an attempt may take. After a crash during an attempt, the notice is due again then. */
const attemptMs = 2 * 60_000
/** The delay after a channel failed for another reason than a refused message. */
const faultMs = 60 * 60_000

type Deps = {
  db: Db
  runtime: Runtime
  log: Log
  send: SendNotice
  noticeLinks: NoticeLinks
  publicUrl: string | null
}

/**
 * Sends the due notices of each channel. One process at a time, by lease. An attempt is counted before the message is sent: after a
 * crash before the result is stored, the message is sent again with the same id and never lost.
 */
export function createNoticePass({ db, runtime, log, send, noticeLinks, publicUrl }: Deps, ofOnePassMs = slowMs) {
  /** @returns whether the message was sent. */
  async function sendGroup(channel: Channel, group: Notice[], signal: AbortSignal): Promise<boolean> {
    const [first] = group
    if (!first) return true
    const messageId = `notice-${first.number}${group.length > 1 ? '-summary' : ''}`
    await db.write((tx) => beginAttempt(tx, group, messageId, runtime.nowMs() + attemptMs))
    const origin = publicUrl ?? channel.origin
    const language = isPageLanguage(channel.language) ? channel.language : 'en'
    const confirmUrl = channel.confirmedAtMs === null ? origin + noticeLinks.confirmPath(channel.id) : null
    const message = messageOf(group, language, { origin, confirmUrl })
    const stopUrl = origin + noticeLinks.stopPath(channel.id, message.stops)
    const result = await send({ channel, message, messageId, stopUrl }, signal)
    const atMs = runtime.nowMs()
    const attempts = Math.max(...group.map((notice) => notice.attempts)) + 1
    const fields = { channel: channel.id, kind: channel.kind, message: messageId, attempts }
    await db.write(async (tx) => {
      if (result.isSent) {
        await endNotices(tx, group, atMs)
        await saveHealth(tx, channel.id, null)
        return
      }
      if ('isGone' in result) return await deleteChannel(tx, channel.id)
      await saveHealth(tx, channel.id, { atMs })
      const delayMs = result.isFinal ? undefined : delayAfter(attempts)
      if (delayMs === undefined) await endNotices(tx, group, null)
      else await delayNotices(tx, group, atMs + delayMs)
    })
    if (result.isSent) log.info(fields, 'Notice sent')
    else log.warn({ ...fields, error: result.error }, 'Notice failed')
    return result.isSent
  }

  /** @returns whether more of the channel's notices are due. */
  async function sendDue(channelId: string, signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    const channel = await db.read((tx) => loadChannel(tx, channelId))
    if (!channel) {
      // The channel's person was removed.
      await db.write((tx) => deleteChannel(tx, channelId))
      return false
    }
    const { due, recent } = await db.read(async (tx) => ({
      due: await dueNotices(tx, channelId, nowMs),
      recent: await recentMessages(tx, channelId, nowMs - hourMs),
    }))
    const { send: groups, hold } = planMessages(due, recent, nowMs)
    if (hold) await db.write((tx) => delayNotices(tx, hold.notices, hold.untilMs))
    const startedMs = performance.now()
    for (const [place, group] of groups.entries()) {
      if (signal.aborted) return false
      const rest = groups.slice(place + 1).flat()
      if (!(await sendGroup(channel, group, signal))) {
        await db.write((tx) => delayNotices(tx, rest, runtime.nowMs() + restMs))
        return false
      }
      if (rest.length > 0 && performance.now() - startedMs >= ofOnePassMs) return true
    }
    return false
  }

  /** Sends to one channel after another. @returns whether more may be due. */
  async function sendInTurn(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    let isMore = false
    const startedMs = performance.now()
    for (const [place, id] of ids.entries()) {
      if (signal.aborted) return false
      // A mail server that does not respond would keep new notices of the other channels waiting for minutes.
      if (place > 0 && performance.now() - startedMs >= ofOnePassMs) return true
      try {
        if (await sendDue(id, signal)) isMore = true
      } catch (err) {
        // A channel that fails must not end the pass for later ones, nor be retried forever.
        log.error({ channel: id, err }, 'Sending notices to a channel failed')
        const nowMs = runtime.nowMs()
        await db.write((tx) => failNotices(tx, id, { nowMs, dueAtMs: nowMs + faultMs, attemptsMax }))
      }
    }
    return isMore
  }

  /** @returns whether more may be due. */
  return async (signal: AbortSignal): Promise<boolean> => {
    const due = await db.read((tx) => dueChannels(tx, runtime.nowMs(), batchMax))
    const mails = due.filter(({ kind }) => kind === 'email').map(({ id }) => id)
    const others = due.filter(({ kind }) => kind !== 'email')
    const passes = [sendInTurn(mails, signal), ...others.map(({ id }) => sendInTurn([id], signal))]
    // Also when one fails: the next pass would send what the others have not begun yet a second time.
    await Promise.allSettled(passes)
    const isMore = await Promise.all(passes)
    return !signal.aborted && (due.length === batchMax || isMore.includes(true))
  }
}
