import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../db/vault.ts'
import { type NoticeKind, noticeKinds } from './notice-kinds.ts'

export type Stops = NoticeKind | 'all'

export const isStops = (text: string): text is Stops => text === 'all' || noticeKinds.some((kind) => kind === text)

/** 132 bits, so that nobody can guess a link. */
const macChars = 22

export type NoticeLinks = ReturnType<typeof createNoticeLinks>

/** Signed links that confirm an address or stop notices of one channel without a sign-in, and can do nothing else. */
export function createNoticeLinks(vault: Vault) {
  const stopKey = vault.derive('links that stop notices')
  const confirmKey = vault.derive('links that confirm addresses')
  const macOf = (key: Uint8Array, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, macChars)

  function isEqual(expected: string, given: string): boolean {
    const [a, b] = [Buffer.from(expected), Buffer.from(given)]
    return a.length === b.length && timingSafeEqual(a, b)
  }

  return {
    stopPath: (channelId: string, stops: Stops): string =>
      `/notices/stop/${channelId}/${stops}/${macOf(stopKey, `${channelId} ${stops}`)}`,
    isStop: (channelId: string, stops: Stops, mac: string): boolean =>
      isEqual(macOf(stopKey, `${channelId} ${stops}`), mac),
    confirmPath: (channelId: string): string => `/notices/confirm/${channelId}/${macOf(confirmKey, channelId)}`,
    isConfirm: (channelId: string, mac: string): boolean => isEqual(macOf(confirmKey, channelId), mac),
  }
}
