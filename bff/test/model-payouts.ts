import { factoryAddress } from '@stablecoin-checkout/bff/contracts'
import { baseUnits, type Runtime, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import {
  createSigner,
  createSweeper,
  depositAddress,
  type EvmSender,
  formatDepositTerms,
  parseDepositTerms,
  type StoredTerms,
  type SweeperDeps,
} from '@stablecoin-checkout/bff/testing/evm'
import {
  createLedger,
  type DepositPayment,
  loadPayment,
  type PaymentEvent,
  type PaymentId,
} from '@stablecoin-checkout/bff/testing/payment'
import type { PayoutWorker } from '@stablecoin-checkout/bff/testing/payout'
import { type Hex, keccak256, toHex } from 'viem'
import { createModelChain, createModelSender } from './model-payout-chain.ts'
import { newPayment, transferOf } from './new-payment.ts'
import { createTestDatabase } from './test-database.ts'

export const chainId = 31_337
export const confirmations = 3
export const due = 25_000_000n

/** The first two keys of the well-known test mnemonic. */
const operatorKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const formerKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const token: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const merchant: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const platform: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const payer: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

export type Line = { level: 'debug' | 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> }
export type ModelStage = Awaited<ReturnType<typeof openModelStage>>
type Outgoing = { id: string; nonce: number; state: string; tx_id: Hex; raw: Hex; sender: string }

/** The model chain, a real database file, the real signer, and a clock that moves only manually. For tests. */
export async function openModelStage() {
  const chain = createModelChain()
  const node = createModelSender(chain)
  const database = await createTestDatabase()
  const db = await database.open()
  const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
  const sender: EvmSender = {
    ...node,
    /** Rejects any transaction that a crash would lose. */
    async broadcast(raw) {
      const stored = await db.read((tx) => tx.get(sql`select id from outgoing_transactions where raw = ${raw}`))
      if (!stored) throw new Error('A transaction was given to a node before it was stored')
      return await node.broadcast(raw)
    },
  }
  const clock = { nowMs: 1_000_000_000_000 }
  const runtime: Runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const network: SweeperDeps['network'] = {
    shortName: 'devnet',
    chainId,
    confirmations,
    pollMs: 1_000,
    factory: factoryAddress,
    sweepGas: null,
    signatureGas: null,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }
  const [signer, former] = [createSigner(operatorKey), createSigner(formerKey)]
  const lines: Line[] = []
  const write = (level: Line['level']) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: fields as Record<string, unknown> })
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  let salts = 0
  const ready = db.write(async (tx) => {
    const { merchantId, merchantName } = newPayment()
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`)
  })

  async function load(id: PaymentId): Promise<DepositPayment> {
    const payment = await db.read((tx) => loadPayment(tx, id))
    if (payment?.mode !== 'deposit') throw new Error(`There is no deposit ${id}`)
    return payment
  }

  const stage = {
    chain,
    sender,
    db,
    ledger,
    clock,
    runtime,
    network,
    signer,
    former,
    lines,
    log,
    load,
    deps: (changes: Partial<EvmSender> = {}, operator = signer): SweeperDeps => ({
      db,
      ledger,
      network,
      sender: { ...sender, ...changes },
      signer: operator,
      runtime,
      log,
    }),
    /** Another sweeper on the same file acts as a second process, or as a restart. */
    sweeper: (changes: Partial<EvmSender> = {}, operator = signer): PayoutWorker =>
      createSweeper(stage.deps(changes, operator)),
    apply: (id: PaymentId, event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
      ledger.apply(id, { atMs: clock.nowMs, ...event } as PaymentEvent),
    /** A deposit whose money is at its address and confirmed. `stored`: the terms in its row, if they differ. */
    async pay(
      changes: Partial<StoredTerms> & { paid?: bigint; stored?: Partial<StoredTerms>; decimals?: number } = {},
    ): Promise<PaymentId> {
      await ready
      const { paid = due, stored = {}, decimals = 6, ...others } = changes
      salts += 1
      const terms: StoredTerms = {
        chainId,
        token,
        amount: due,
        least: due,
        merchant,
        platform,
        feeBps: 150,
        deadlineSeconds: 4_000_000_000,
        operator: signer.address,
        factory: factoryAddress,
        salt: toHex(salts, { size: 32 }),
        ...others,
      }
      const address = depositAddress(terms, terms.factory)
      chain.arrive(address, paid)
      const { number, hash } = chain.head()
      const transfer = transferOf(String(paid), {
        txId: keccak256(toHex(`pays ${salts}`)),
        blockNumber: number,
        blockHash: hash,
        blockTimeMs: clock.nowMs,
      })
      const payment = newPayment({
        id: runtime.newUuid() as PaymentId,
        depositAddress: address,
        tokenAddress: terms.token,
        sequence: 0,
        depositTerms: formatDepositTerms({ ...terms, ...stored }),
        tokenDecimals: decimals,
        due: baseUnits(String(terms.amount)),
        least: baseUnits(String(terms.least)),
        windowEndsAtMs: clock.nowMs + 900_000,
      })
      await db.write(async (tx) => {
        await ledger.createIn(tx, payment)
        await ledger.applyIn(tx, payment.id, { type: 'transfer.confirmed', transfer, atMs: clock.nowMs })
      })
      return payment.id
    },
    termsOf: async (id: PaymentId) => parseDepositTerms((await load(id)).depositTerms),
    outgoing: () =>
      db.read((tx) => tx.all<Outgoing>(sql`select * from outgoing_transactions order by nonce, created_at_ms, tx_id`)),
    /** A deposit's row in the queue. */
    sweepOf: (id: PaymentId) =>
      db.read((tx) =>
        tx.get<{ state: string; failures: number; due_at_ms: number; waiting_since_ms: number | null }>(
          sql`select state, failures, due_at_ms, waiting_since_ms from payouts where kind = 'sweep' and payment_id = ${id}`,
        ),
      ),
    statuses: async (ids: readonly PaymentId[]) => (await Promise.all(ids.map(load))).map(({ status }) => status),
    said: (level: Line['level']) => lines.filter((line) => line.level === level).map(({ message }) => message),
    async close() {
      await db.close()
      await database.drop()
    },
  }
  return stage
}
