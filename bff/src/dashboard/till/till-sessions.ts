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

/** The PIN is required again after this long without use. */
const idleMs = 10 * minuteMs
/** A device must be paired again if nobody entered the PIN for this long. */
const deviceMs = 90 * dayMs
/** Minimum interval between stored uses. */
const usedMs = 30_000

const tokenBytes = 32
/** Tokens of another length are not from this service. */
const tokenLength = 43
const browserMax = 200

const tillEnded = () =>
  new PaymentError(
    'TILL_ENDED',
    'This device is not paired as a till, or no longer. An owner can pair it in the dashboard.',
  )

const tillLocked = () => new PaymentError('TILL_LOCKED', 'The till is locked: enter its PIN.')

const tillBlocked = () =>
  new PaymentError('TILL_BLOCKED', 'Too many wrong PINs. An owner can unblock the till in the dashboard.')

type Deps = {
  db: Db
  runtime: Runtime
  pins: Pins
  pageOf: (c: Context<Env>) => PageOrigin
  addressOf: ClientAddress
}

export type TillSessions = ReturnType<typeof createTillSessions>

export const isBlocked = ({ wrongPins }: Pick<Till, 'wrongPins'>): boolean => wrongPins >= wrongPinsMax

/**
 * Devices paired as tills: a random token in a separate cookie; the database stores only its hash. It gives access to nothing but
 * the till.
 */
export function createTillSessions({ db, runtime, pins, pageOf, addressOf }: Deps) {
  const newToken = () => Buffer.from(runtime.randomBytes(tokenBytes)).toString('base64url')
  const cookieName = ({ cookieName: ofPeople }: PageOrigin) => ofPeople.replace('session', 'till')
  const cookie = ({ isSecure }: PageOrigin) =>
    ({ path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure }) as const

  const isOpen = ({ openUntilMs }: Till): boolean => openUntilMs !== null && openUntilMs > runtime.nowMs()

  /** @throws {PaymentError} 401 for a device that is not a till; 403 for a request from another page. */
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

  /** Keeps an open till open. Not stored for every request, because a till polls its sale. */
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
     * Pairs the requesting device with the link's till, and sets its cookie.
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

    /** @throws {PaymentError} PIN_WRONG with the attempts left; TILL_BLOCKED after the last. */
    async open(c: Context<Env>, pin: string): Promise<void> {
      const till = await tillOf(c)
      const nowMs = runtime.nowMs()
      const until = { openUntilMs: nowMs + idleMs, deviceEndsAtMs: nowMs + deviceMs, nowMs }
      // Returned, not thrown: an error within the commit would roll back the counted attempt.
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
