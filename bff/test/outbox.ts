import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BaseUnits, type Runtime, systemRuntime, zero } from '@stablecoin-checkout/bff/testing/core'
import { createVault, type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import {
  type DescribePayment,
  emitEvent,
  insertPayment,
  type MerchantId,
  type Payment,
  type PaymentId,
  type WebhookEventType,
} from '@stablecoin-checkout/bff/testing/payment'
import { insertMerchant } from '@stablecoin-checkout/bff/testing/service'
import { insertEndpoint, newWebhookSecret } from '@stablecoin-checkout/bff/testing/webhook'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A request that a merchant's server received. */
export type Call = {
  path: string
  headers: Record<string, string>
  body: string
  event: { type: string; data: { id: string; sequence: number } }
  receivedAtMs: number
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

type Respond = (call: Call, response: ServerResponse) => void

/** A merchant's server on a free port. `answer` decides the response, and can be replaced by a test; 204 by default. */
export async function startReceiver(answer: Respond = accept) {
  const calls: Call[] = []
  const server = createServer(async (incoming, response) => {
    // A client that disconnects while posting has posted nothing.
    const call = await read(incoming).catch(() => undefined)
    if (call === undefined) return
    calls.push(call)
    receiver.answer(call, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver = {
    answer,
    calls,
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

export function accept(_call: Call, response: ServerResponse): void {
  response.writeHead(204).end()
}

export function answerWith(code: number, headers: Record<string, string> = {}) {
  return (_call: Call, response: ServerResponse) => {
    response.writeHead(code, headers).end()
  }
}

async function read(incoming: IncomingMessage): Promise<Call> {
  let body = ''
  for await (const chunk of incoming) body += chunk
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  return { path: incoming.url ?? '', headers, body, event: JSON.parse(body), receivedAtMs: Date.now() }
}

/** A clock that moves only on command, and random numbers fixed at the middle. */
export function heldRuntime(): Runtime & { advance(ms: number): void } {
  let nowMs = Date.now()
  return {
    ...systemRuntime,
    nowMs: () => nowMs,
    randomBytes: (count) => new Uint8Array(count).fill(0x80, 0, 1),
    advance: (ms) => {
      nowMs += ms
    },
  }
}

type DeliveryState = {
  state: string
  attempts: number
  code: number | null
  error: string | null
  dueAtMs: number
}

export type Outbox = Awaited<ReturnType<typeof openOutbox>>

/** Key of every test's vault. */
const vaultKey = Buffer.alloc(32, 7)

const inShort = ({ id, sequence }: Payment) => ({ id, sequence })

/** A real database (new by default) with one merchant, whose events are posted to URLs. */
export async function openOutbox(
  runtime: Runtime = systemRuntime,
  describe: DescribePayment = inShort,
  given?: Pick<TestDatabase, 'location' | 'open' | 'drop'>,
) {
  const database = given ?? (await createTestDatabase())
  const merchantId = systemRuntime.newUuid() as MerchantId
  const secret = newWebhookSecret(systemRuntime)
  const vault = createVault(vaultKey, systemRuntime)
  let db: Db = await database.open()
  const webhookSecret = vault.seal(secret, merchantId)
  await db.write((tx) =>
    insertMerchant(tx, { id: merchantId, name: 'Shop', webhookSecret, createdAtMs: runtime.nowMs() }),
  )
  return {
    location: database.location,
    secret,
    vault,
    merchantId,
    get db() {
      return db
    },
    /** A payment with one event for each of `types`, all due now at its callbackUrl (null: none) and every endpoint. */
    async emit(url: string | null, ...types: WebhookEventType[]): Promise<PaymentId> {
      return await this.emitOf(newPayment(merchantId, url, runtime.nowMs()), ...types)
    },
    /** `emit` for a given payment. */
    async emitOf(payment: Payment, ...types: WebhookEventType[]): Promise<PaymentId> {
      await db.write(async (tx) => {
        await insertPayment(tx, payment)
        for (const [index, type] of types.entries()) {
          await emitEvent(tx, { ...payment, sequence: index + 1 }, type, describe, runtime.nowMs())
        }
      })
      return payment.id
    },
    /** An endpoint of the merchant that receives every event. @returns its id. */
    async addEndpoint(url: string): Promise<string> {
      const id = `we_${systemRuntime.newUuid()}`
      const nowMs = runtime.nowMs()
      const none = { types: null, previousSecret: null, previousSecretUntilMs: null, failingSinceMs: null }
      const enabled = { disabledReason: null, disabledAtMs: null, createdAtMs: nowMs, updatedAtMs: nowMs }
      const sealed = vault.seal(secret, id)
      const endpoint = {
        id,
        merchantId,
        isTest: false,
        madeWith: 'api',
        url,
        description: '',
        dialect: 'standard' as const,
        storeKeyId: null,
        retries: true,
        secret: sealed,
        ...none,
        ...enabled,
      }
      await db.write((tx) => insertEndpoint(tx, endpoint))
      return id
    },
    async deliveries(id: PaymentId): Promise<DeliveryState[]> {
      return db.read((tx) =>
        tx.all<DeliveryState>(sql`
            select state, attempts, last_code as code, last_error as error, due_at_ms as "dueAtMs"
              from deliveries where payment_id = ${id} order by number`),
      )
    },
    async count(state: 'due' | 'delivered' | 'failed'): Promise<number> {
      const row = await db.read((tx) =>
        tx.get<{ count: number }>(sql`select count(*) as count from deliveries where state = ${state}`),
      )
      return row?.count ?? 0
    },
    /** Simulates a restart of the process: only the file remains. */
    async reopen() {
      await db.close()
      db = await database.open()
    },
    async close() {
      await db.close()
      await database.drop()
    },
  }
}

/** Waits for a condition. @throws {Error} naming it, if it is not met within `withinMs`. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const endMs = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`Waited ${withinMs} ms in vain: ${what}.`)
    await sleep(5)
  }
}

const none = 0n as BaseUnits
const windowMs = 1_800_000

export function newPayment(merchantId: MerchantId, callbackUrl: string | null, nowMs: number): Payment {
  const id = systemRuntime.newUuid() as PaymentId
  return {
    id,
    merchantId,
    merchantName: 'Shop',
    takesSignatures: true,
    mode: 'deposit',
    isTest: false,
    madeWith: 'api',
    network: 'devnet',
    currency: 'USDC',
    tokenAddress: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    tokenDecimals: 6,
    due: 25_000_000n as BaseUnits,
    least: 25_000_000n as BaseUnits,
    dollarRate: '1',
    confirmations: null,
    seen: none,
    received: none,
    late: none,
    lastBlock: null,
    lastTxId: null,
    windowEnded: false,
    acceptedUntilMs: null,
    lateEnded: false,
    lateTaken: false,
    refundedByMerchant: none,
    refundDueByMerchant: none,
    refundedOfDue: none,
    confirmedOfDue: none,
    closedAs: null,
    closeReason: null,
    sweep: 'none',
    sweepWaits: false,
    sweepTxId: null,
    status: 'pending',
    version: 1,
    sequence: 0,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + windowMs,
    windowEndsAtMs: nowMs + windowMs,
    detectedAtMs: null,
    confirmedAtMs: null,
    sweptAtMs: null,
    sweptAmount: null,
    refund: 'none',
    refundAddress: null,
    refunded: 0n as BaseUnits,
    refunding: zero,
    lateReturned: false,
    refundTxId: null,
    unmatched: [],
    orderId: null,
    customerEmail: null,
    callbackUrl,
    returnUrl: null,
    linkId: null,
    price: null,
    metadata: null,
    agentId: null,
    agentOwner: null,
    // Unique like a real one; nothing here reads the chain.
    depositAddress: `0x${id.replaceAll('-', '').padStart(40, '0')}`,
    depositTerms: '{}',
    isDirect: false,
  }
}
