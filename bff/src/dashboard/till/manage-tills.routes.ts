import type { Context } from 'hono'
import type { Caller } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { qrCode } from '../../checkout/qr.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Networks } from '../../core/families.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Audit } from '../audit/audit.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { sha256 } from '../sign-in/passkeys.ts'
import { doneResponse } from '../sign-in/webauthn-schemas.ts'
import type { Pins } from './pin.ts'
import * as schemas from './till-schemas.ts'
import { isBlocked, type TillSessions } from './till-sessions.ts'
import { insertTill, listTills, loadTill, removeTill, savePairing, saveTill, type Till } from './till-store.ts'

const path = '/dashboard/tills'
const onePath = `${path}/{tillId}` as const
const pairingMs = 10 * 60_000

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'session',
  role: 'staff',
  operationId: 'listTills',
  tags: schemas.tags,
  summary: "The merchant's tills",
  responses: { 200: jsonContent('the tills', schemas.tillsResponse), ...errorResponses },
})

const makeRoute = defineOperation({
  method: 'post',
  path,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'createTill',
  tags: schemas.tags,
  summary: 'Create a till, and the link that pairs its device',
  description: "Its sales are live or test payments, depending on the session's mode.",
  request: { body: jsonBody(schemas.NewTillBody) },
  responses: { 200: jsonContent('the till and its link', schemas.pairingResponse), ...errorResponses },
})

const pairingRoute = defineOperation({
  method: 'post',
  path: `${onePath}/pairing`,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'createTillPairing',
  tags: schemas.tags,
  summary: 'Create a new link that pairs a device',
  description: 'The device that opens it replaces the previous one.',
  request: { params: schemas.tillParam },
  responses: { 200: jsonContent('the link', schemas.pairingResponse), ...errorResponses },
})

const changeRoute = defineOperation({
  method: 'patch',
  path: onePath,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'updateTill',
  tags: schemas.tags,
  summary: "Change a till's name or PIN, or unblock it",
  request: { params: schemas.tillParam, body: jsonBody(schemas.TillChanges) },
  responses: { 200: jsonContent('changed', schemas.tillResponse), ...errorResponses },
})

const removeRoute = defineOperation({
  method: 'delete',
  path: onePath,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'removeTill',
  tags: schemas.tags,
  summary: 'Remove a till; its device loses access',
  request: { params: schemas.tillParam },
  responses: { 200: doneResponse, ...errorResponses },
})

type Deps = {
  db: Db
  runtime: Runtime
  networks: Networks
  audit: Audit
  pins: Pins
  tills: TillSessions
  pageOf: (c: Context<Env>) => PageOrigin
}

const notFound = () => new PaymentError('NOT_FOUND', 'There is no such till, or it was removed.')

/** Owners create, pair, change and remove tills. */
export function manageTillsRoutes(api: Operations, { db, runtime, networks, audit, pins, tills, pageOf }: Deps) {
  const success = true as const

  const viewOf = (till: Till) => ({
    id: till.id,
    name: till.name,
    isTest: till.isTest,
    priceCurrency: till.priceCurrency,
    network: till.network,
    currency: till.currency,
    isPaired: till.deviceEndsAtMs !== null && till.deviceEndsAtMs > runtime.nowMs(),
    isBlocked: isBlocked(till),
    browser: till.browser,
    lastUsedAt: iso(till.lastUsedAtMs),
    createdAt: iso(till.createdAtMs),
  })

  async function own(tx: Tx, { merchantId }: Caller, id: string): Promise<Till> {
    const till = await loadTill(tx, merchantId, id)
    if (!till) throw notFound()
    return till
  }

  /** Creates a link with a new token, whose hash is stored. */
  async function newPairing(tx: Tx, c: Context<Env>, till: Till) {
    const token = tills.newToken()
    const endsAtMs = runtime.nowMs() + pairingMs
    await savePairing(tx, till.id, sha256(token), endsAtMs)
    const link = `${pageOf(c).origin}/till#pair=${token}`
    return { success, till: viewOf(till), link, qr: qrCode(link), endsAt: iso(endsAtMs) }
  }

  /** @throws {ValidationError} naming the network or token in which the merchant cannot be paid. */
  function verifyFirst({ wallets }: Caller, network: string | null, currency: string | null): void {
    if (network === null || currency === null) return
    const found = networks.get(network)
    if (!found?.tokens.some(({ symbol }) => symbol === currency)) {
      throw new ValidationError(`${currency} on ${network} is not configured`)
    }
    if (!wallets.has(network)) {
      throw new ValidationError(`No settlement wallet is configured on ${network}.`, 'WALLET_MISSING')
    }
  }

  api.serve(listRoute, async (c) => {
    const found = await db.read((tx) => listTills(tx, c.get('caller').merchantId, schemas.tillsMax))
    return c.json({ success, tills: found.map(viewOf) }, 200)
  })

  api.serve(makeRoute, async (c) => {
    const caller = c.get('caller')
    const { name, pin, priceCurrency = null, ...asked } = c.req.valid('json')
    const network = asked.network?.toLowerCase() ?? null
    const currency = asked.currency?.toUpperCase() ?? null
    verifyFirst(caller, network, currency)
    const id = runtime.newUuid()
    const till: Till = {
      id,
      merchantId: caller.merchantId,
      isTest: caller.isTest,
      name,
      priceCurrency,
      network,
      currency,
      pinMac: pins.macOf(id, pin),
      wrongPins: 0,
      weekWrongPins: 0,
      weekBeganAtMs: runtime.nowMs(),
      browser: null,
      deviceEndsAtMs: null,
      openUntilMs: null,
      lastUsedAtMs: null,
      createdAtMs: runtime.nowMs(),
    }
    const made = await db.write(async (tx) => {
      if ((await listTills(tx, caller.merchantId, schemas.tillsMax)).length >= schemas.tillsMax) {
        throw new ValidationError(`a merchant has at most ${schemas.tillsMax} tills`)
      }
      await insertTill(tx, till)
      await audit(tx, caller, { action: 'till.made', subject: name })
      return await newPairing(tx, c, till)
    })
    return c.json(made, 200)
  })

  api.serve(pairingRoute, async (c) => {
    const caller = c.get('caller')
    const linked = await db.write(async (tx) => {
      const till = await own(tx, caller, c.req.valid('param').tillId)
      await audit(tx, caller, { action: 'till.linked', subject: till.name })
      return await newPairing(tx, c, till)
    })
    return c.json(linked, 200)
  })

  api.serve(changeRoute, async (c) => {
    const caller = c.get('caller')
    const { name, pin, unblock } = c.req.valid('json')
    const till = await db.write(async (tx) => {
      const before = await own(tx, caller, c.req.valid('param').tillId)
      const after: Till = {
        ...before,
        name: name ?? before.name,
        pinMac: pin === undefined ? before.pinMac : pins.macOf(before.id, pin),
        // Require the new PIN: the old one must not keep the till open.
        openUntilMs: pin === undefined ? before.openUntilMs : null,
        wrongPins: unblock ? 0 : before.wrongPins,
        weekWrongPins: unblock ? 0 : before.weekWrongPins,
      }
      await saveTill(tx, after)
      if (unblock) await audit(tx, caller, { action: 'till.unblocked', subject: before.name })
      if (name !== undefined || pin !== undefined) {
        await audit(tx, caller, { action: 'till.changed', subject: before.name, after: after.name })
      }
      return after
    })
    return c.json({ success, till: viewOf(till) }, 200)
  })

  api.serve(removeRoute, async (c) => {
    const caller = c.get('caller')
    await db.write(async (tx) => {
      const name = await removeTill(tx, caller.merchantId, c.req.valid('param').tillId, runtime.nowMs())
      if (name === undefined) throw notFound()
      await audit(tx, caller, { action: 'till.removed', subject: name })
    })
    return c.json({ success }, 200)
  })
}
