import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { TillCallers } from '../../access/callers/authenticate.ts'
import { callerWithoutKey } from '../../access/context/caller.ts'
import { type Env, setHeader } from '../../access/context/env.ts'
import type { ClientAddress } from '../../access/http/client-address.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { insertAuditEntry } from '../audit/audit-store.ts'
import { type PageOrigin, verifySameOrigin } from '../page/page-origin.ts'
import { sha256 } from '../sign-in/passkeys.ts'
import { attemptsLeftOf, type Pins, weekMs, weekWrongPinsMax, wrongPinsMax } from './pin.ts'
import {
  blockTill,
  countPin,
  keepOpen,
  loadTillOfDevice,
  lockTill,
  openTill,
  type Till,
  usePairing,
} from './till-store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The PIN is asked for again when nobody has used the till for so long. */
const idleMs = 10 * minuteMs
/** A device on which nobody entered the PIN for so long is paired anew. */
const deviceMs = 90 * dayMs
/** How often a use is written down at most. */
const usedMs = 30_000

const tokenBytes = 32
/** A token that is longer or shorter was not made by this service. */
const tokenLength = 43
const browserMax = 200

const tillEnded = () =>
  new PaymentError('TILL_ENDED', 'This device is no till, or no longer: an owner pairs it in the dashboard.')

const tillLocked = () => new PaymentError('TILL_LOCKED', 'The till is locked: enter its PIN.')

const tillBlocked = () =>
  new PaymentError('TILL_BLOCKED', 'The PIN was wrong too often: an owner unblocks the till in the dashboard.')

type Deps = {
  db: Db
  runtime: Runtime
  pins: Pins
  pageOf: (c: Context<Env>) => PageOrigin
  addressOf: ClientAddress
}

export type TillSessions = ReturnType<typeof createTillSessions>

export const isBlocked = ({ wrongPins }: Pick<Till, 'wrongPins'>): boolean => wrongPins >= wrongPinsMax

/** Devices that are tills: a random id in a cookie of its own, of which the database has the hash alone. It opens nothing but the till. */
export function createTillSessions({ db, runtime, pins, pageOf, addressOf }: Deps) {
  const newToken = () => Buffer.from(runtime.randomBytes(tokenBytes)).toString('base64url')
  const cookieName = ({ cookieName: ofPeople }: PageOrigin) => ofPeople.replace('session', 'till')
  const cookie = ({ isSecure }: PageOrigin) =>
    ({ path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure }) as const

  const isOpen = ({ openUntilMs }: Till): boolean => openUntilMs !== null && openUntilMs > runtime.nowMs()

  /** @throws {PaymentError} 401 for a device that is no till; 403 for a request of another page. */
  async function tillOf(c: Context<Env>): Promise<Till> {
    if (c.req.header('cookie') === undefined) throw tillEnded()
    const page = pageOf(c)
    const token = getCookie(c, cookieName(page))
    if (token === undefined) throw tillEnded()
    verifySameOrigin(c, page)
    setHeader(c, 'Cache-Control', 'no-store')
    const found =
      token.length === tokenLength
        ? await db.read((tx) => loadTillOfDevice(tx, sha256(token), runtime.nowMs()))
        : undefined
    if (found) return found
    deleteCookie(c, cookieName(page), cookie(page))
    throw tillEnded()
  }

  /** Keeps an open till open. Not written for each request: a till polls its sale. */
  async function used({ id, lastUsedAtMs }: Till): Promise<void> {
    const nowMs = runtime.nowMs()
    if (lastUsedAtMs !== null && nowMs >= lastUsedAtMs && nowMs < lastUsedAtMs + usedMs) return
    await db.write((tx) => keepOpen(tx, id, nowMs + idleMs, nowMs))
  }

  const callers: TillCallers = {
    async callerOf(c, needed) {
      const till = await tillOf(c)
      if (needed === 'open') {
        if (isBlocked(till)) throw tillBlocked()
        if (!isOpen(till)) throw tillLocked()
        await used(till)
      }
      const { id, merchantId, isTest, name } = till
      const caller = await db.read((tx) => callerWithoutKey(tx, merchantId, { id: `till ${id}`, isTest }))
      return { ...caller, till: { id, name, address: addressOf(c) } }
    },
  }

  const auditedBy = (c: Context<Env>, { merchantId, name }: Till) => ({
    merchantId,
    personId: null,
    personName: name,
    atMs: runtime.nowMs(),
    address: addressOf(c),
    subject: name,
    before: null,
    after: null,
  })

  return {
    callers,
    newToken,
    isOpen,
    attemptsLeft: (till: Till): number => attemptsLeftOf(till, runtime.nowMs()),

    /**
     * Makes the device that sends the request the till of the link.
     * @returns what sets the cookie, after the commit.
     * @throws {PaymentError} PAIRING_ENDED
     */
    async pair(c: Context<Env>, pairingToken: string): Promise<void> {
      const page = pageOf(c)
      const token = newToken()
      const nowMs = runtime.nowMs()
      const browser = (c.req.header('user-agent') ?? '').replaceAll('\0', '').slice(0, browserMax)
      const device = { deviceSha256: sha256(token), browser, endsAtMs: nowMs + deviceMs }
      await db.write(async (tx) => {
        const till = await usePairing(tx, sha256(pairingToken), device, nowMs)
        if (!till) {
          const message =
            'The link was used, has expired or is incomplete. It is valid once, for ten minutes. Ask for a new one.'
          throw new PaymentError('PAIRING_ENDED', message)
        }
        await insertAuditEntry(tx, { ...auditedBy(c, till), action: 'till.paired', after: browser })
      })
      setCookie(c, cookieName(page), token, { ...cookie(page), maxAge: (4 * deviceMs) / 1000 })
    },

    /** @throws {PaymentError} PIN_WRONG with the attempts that are left, TILL_BLOCKED after the last. */
    async open(c: Context<Env>, pin: string): Promise<void> {
      const till = await tillOf(c)
      const nowMs = runtime.nowMs()
      const until = { openUntilMs: nowMs + idleMs, deviceEndsAtMs: nowMs + deviceMs, nowMs }
      // A refusal would take the counted attempt back if it were thrown within the unit.
      const left = await db.write(async (tx) => {
        const attempts = await countPin(tx, till.id, { wrongPinsMax, nowMs, weekSinceMs: nowMs - weekMs })
        if (attempts === undefined) return 0
        if (pins.isRight(till.id, pin, till.pinMac)) {
          await openTill(tx, till.id, until)
          return null
        }
        const attemptsLeft = Math.min(wrongPinsMax - attempts.inRow, weekWrongPinsMax - attempts.inWeek)
        if (attemptsLeft > 0) return attemptsLeft
        await blockTill(tx, till.id, wrongPinsMax)
        await insertAuditEntry(tx, { ...auditedBy(c, till), action: 'till.blocked' })
        return 0
      })
      if (left === 0) throw tillBlocked()
      if (left !== null) {
        throw new PaymentError('PIN_WRONG', `The PIN is wrong; attempts left: ${left}.`, {
          fields: { attemptsLeft: left },
        })
      }
    },

    lock: (id: string) => db.write((tx) => lockTill(tx, id)),
  }
}
