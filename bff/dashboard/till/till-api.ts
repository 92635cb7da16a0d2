import { Fault, request } from '../api/client.ts'
import { currentLanguage } from '../locales/locale.ts'
import { tRefusal } from '../locales/refusal-texts.ts'
import type { QrCode } from '../ui/qr-picture.ts'
import { s } from './till-locale.ts'

export type OwnTill = {
  name: string
  merchantName: string
  isTest: boolean
  isOpen: boolean
  isBlocked: boolean
  attemptsLeft: number
  priceCurrency: string | null
  symbols: readonly string[]
}

type SaleState = 'open' | 'partial' | 'detected' | 'paid' | 'cancelled' | 'expired'

export type Sale = {
  id: string
  state: SaleState
  amount: string | null
  price: string | null
  priceCurrency: string | null
  createdAt: string
  url: string | null
  qr: QrCode | null
  receiptUrl: string | null
  receiptQr: QrCode | null
  payment: {
    currency: string
    networkName: string
    amount: string
    amountReceived: string
    amountRemaining: string
    confirmations: number
    requiredConfirmations: number
    address: string | null
    addressQr: QrCode | null
  } | null
}

export type Day = {
  sales: readonly Sale[]
  /** Of `sales`. */
  totals: readonly { currency: string; amount: string; sales: number }[]
  /** False: older sales of the day are left out. */
  isComplete: boolean
}

/** Once this tab knows whose sale it keeps. */
export const readTill = async () => {
  isJoined ??= joinTabs()
  await isJoined
  return (await request<{ till: OwnTill }>('till')).till
}
export const pairTill = (token: string) => request('till/pair', { body: { token } })
export const openTill = (pin: string) => request('till/open', { body: { pin } })
export const lockTill = () => request('till/lock', { method: 'POST' })
export const createSale = async (amount: string, idempotencyKey: string) =>
  (await request<{ sale: Sale }>('till/sales', { body: { amount }, idempotencyKey })).sale
export const readSale = async (id: string) => (await request<{ sale: Sale }>(`till/sales/${id}`)).sale
export const cancelSale = async (id: string) =>
  (await request<{ sale: Sale }>(`till/sales/${id}/cancel`, { method: 'POST' })).sale

/** Since midnight where the till stands. */
export function readDay(): Promise<Day> {
  const midnight = new Date()
  midnight.setHours(0, 0, 0, 0)
  return request<Day>('till/sales', { query: { since: midnight.toISOString() } })
}

/** Whether the service could not be reached, or not answer now: the same request may succeed later. A hotspot answers with its own page. */
export const isAway = (fault: unknown): boolean =>
  !(fault instanceof Fault) || fault.status === 0 || fault.status === 429 || fault.status >= 500

/** What the staff reads of a refusal: the service's own sentence is English. */
export function sentenceOf(fault: unknown): string {
  if (!(fault instanceof Fault)) return s('fault')
  const { code, status, message } = fault
  if (currentLanguage() === 'en') return message || s('fault')
  // What can be wrong here is the amount, which this text names.
  return (code === 'VALIDATION_FAILED' ? null : tRefusal(code, status)) ?? s('fault')
}

export const codeOf = (fault: unknown): string => (fault instanceof Fault ? fault.code : '')

/** A sale that is not done: it survives a reload, and an amount is never charged twice, because its key goes along. */
export type KeptSale = { amount: string; key: string; id: string | null }

const keptName = 'till-sale'

/** Whether no other tab of the device was the till when this one opened. */
let isFirstTab = true
let isJoined: Promise<void> | undefined

/**
 * Each tab keeps its own sale, so that two never take each other's customer. The first one keeps it also for a later visit; where a
 * browser has no locks, every tab does.
 */
const joinTabs = (): Promise<void> =>
  new Promise((joined) => {
    if (!navigator.locks) return joined()
    const held = navigator.locks.request(keptName, { ifAvailable: true }, (lock) => {
      isFirstTab = lock !== null
      joined()
      // Held until the page is left.
      return lock === null ? undefined : new Promise(() => {})
    })
    // A browser that forbids storage forbids locks too.
    held.catch(() => joined())
  })

export function keptSale(): KeptSale | null {
  try {
    const own = sessionStorage.getItem(keptName)
    return JSON.parse(own ?? (isFirstTab ? localStorage.getItem(keptName) : null) ?? 'null') as KeptSale | null
  } catch {
    return null
  }
}

export function keepSale(sale: KeptSale | null): void {
  try {
    sessionStorage.setItem(keptName, JSON.stringify(sale))
    if (isFirstTab) localStorage.setItem(keptName, JSON.stringify(sale))
  } catch {
    // Without storage a reload begins anew; the sale itself is at the service.
  }
}

let build: string | null = null

/** Whether the service has another version of this page: a till never runs old code against a new service. */
export async function isOutdated(): Promise<boolean> {
  const answer = await fetch('/till', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  const found = answer?.headers.get('etag') ?? null
  if (found === null) return false
  build ??= found
  return found !== build
}
