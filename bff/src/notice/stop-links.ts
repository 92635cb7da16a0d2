import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../db/vault.ts'
import { type NoticeKind, noticeKinds } from './notice-kinds.ts'

export type Stops = NoticeKind | 'all'

export const isStops = (text: string): text is Stops => text === 'all' || noticeKinds.some((kind) => kind === text)

/** 132 bits: nobody guesses a link. */
const macChars = 22

export type StopLinks = ReturnType<typeof createStopLinks>

/** The links that end notices without a sign-in: signed, for one channel and kind. They can do nothing else. */
export function createStopLinks(vault: Vault) {
  const key = vault.derive('links that stop notices')
  const macOf = (channelId: string, stops: Stops) =>
    createHmac('sha256', key).update(`${channelId} ${stops}`).digest('base64url').slice(0, macChars)
  return {
    path: (channelId: string, stops: Stops): string => `/notices/stop/${channelId}/${stops}/${macOf(channelId, stops)}`,
    isGood(channelId: string, stops: Stops, mac: string): boolean {
      const [expected, given] = [Buffer.from(macOf(channelId, stops)), Buffer.from(mac)]
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
