import type { Context, MiddlewareHandler } from 'hono'
import type { Caller } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { verifyDepth } from '../../access/http/body-limit.ts'
import type { Db } from '../../db/db.ts'
import { loadAccounts } from '../../merchant/account-store.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { type Details, type Fields, isFields, rules, type StablezactRule } from './stablezact-rules.ts'
import type { StablezactSettings } from './stablezact-setting.ts'

type Deps = { db: Db; settings: StablezactSettings; read: ReadPayment; details: Details; prefix: string }

/** Changes requests and successful responses by the rules of the call. Everything else behaves as at `/api`. */
export function adaptClients({ db, settings, read, details, prefix }: Deps): MiddlewareHandler<Env> {
  /** Anyone can give a client the id of any payment of the service, and the client reads it without a key. */
  async function isOfShop({ merchantId }: Payment): Promise<boolean> {
    const { merchant } = settings
    if (merchant !== undefined) return merchant === merchantId
    return (await db.read((tx) => loadAccounts(tx, 2))).length < 2
  }

  return async (c, next) => {
    c.set('isLenient', true)
    const call = `${c.req.method} ${c.req.path.slice(prefix.length)}`
    const ofCall = (rules as readonly StablezactRule[]).filter(({ calls }) => calls.test(call))
    const ofRequest = ofCall.flatMap((rule) => ('request' in rule ? [rule.request] : []))
    const ofResponse = ofCall.flatMap((rule) => ('response' in rule ? [rule.response] : []))
    if (ofRequest.length > 0) await changeRequest(c, (body) => ofRequest.reduce((last, by) => by(last, settings), body))
    await next()
    if (ofResponse.length === 0 || c.res.status !== 200) return
    const body: unknown = await c.res.clone().json()
    const id = isFields(body) && isFields(body['payment']) ? body['payment']['id'] : undefined
    if (!isFields(body) || id === undefined) return
    const payment = await read.byId(id as PaymentId)
    const caller = c.get('caller') as Caller | undefined
    const asked = { settings, payment, caller, details, isOfShop: await isOfShop(payment) }
    const changed = ofResponse.reduce((last, by) => by(last, asked), body)
    c.res = new Response(JSON.stringify(changed), c.res)
  }
}

/** @throws {ValidationError} when the body is nested too deeply. */
async function changeRequest(c: Context<Env>, change: (body: Fields) => Fields): Promise<void> {
  const body = parsed(await c.req.text())
  // Validation refuses a body that is not a JSON object.
  if (!isFields(body)) return
  verifyDepth(body)
  // Hono reads an already consumed body from this cache. The value is a promise, despite its type.
  c.req.bodyCache.text = Promise.resolve(JSON.stringify(change(body))) as unknown as string
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
