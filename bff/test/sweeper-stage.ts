import { depositFactory, depositForwarder } from '@stablecoin-checkout/bff/contracts'
import {
  baseUnits,
  type EvmNetwork,
  type Runtime,
  silentLog,
  systemRuntime,
} from '@stablecoin-checkout/bff/testing/core'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import {
  createEvmPool,
  createEvmSender,
  createSigner,
  createSweeper,
  depositAddress,
  type EvmSender,
  formatDepositTerms,
  parseDepositTerms,
  toTuple,
} from '@stablecoin-checkout/bff/testing/evm'
import { createGasBalances } from '@stablecoin-checkout/bff/testing/network'
import {
  createLedger,
  type DepositPayment,
  loadPayment,
  type Payment,
  type PaymentId,
  type Transfer,
} from '@stablecoin-checkout/bff/testing/payment'
import { countParkedShares, type PayoutWorker } from '@stablecoin-checkout/bff/testing/payout'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { minedBy } from './anvil-client.ts'
import { openContractChain } from './contract-chain.ts'
import { receiptOf } from './devnet/receipt.ts'
import { testUsdc } from './devnet/tokens.generated.ts'
import { newPayment } from './new-payment.ts'
import { createTestDatabase } from './test-database.ts'

const chainId = 31337
/** Maximum passes of a test before it counts as stuck. */
const passesMax = 40

export const due = 25_000_000n
const feeBps = 150
/** Of a deposit of 25.00: 1.5 %, rounded down. */
export const platformShare = 375_000n
export const confirmations = 3

export type Stage = Awaited<ReturnType<typeof openStage>>
type Warning = { fields: object; message: string }

/** A real chain with the real contracts, a real database file, and a clock that moves only manually. For tests. */
export async function openStage() {
  const opened = await openContractChain(chainId)
  const { chain, keys, customer, merchant, platform, rpcUrl, factory, tokens } = opened
  const operator = opened.operator.address
  const token = tokens.USDC.address

  const database = await createTestDatabase()
  const db = await database.open()
  const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
  const clock = { nowMs: 1_000_000_000_000 }
  const runtime: Runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const network = {
    shortName: 'devnet',
    chainId,
    confirmations,
    pollMs: 20,
    rpcUrls: [rpcUrl],
    factory,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    sweepGas: null as EvmNetwork['sweepGas'],
    signatureGas: null as EvmNetwork['signatureGas'],
  }
  const pool = createEvmPool({ ...network, name: 'Devnet' }, { nowMs: Date.now, log: silentLog })
  const sender = minedBy(chain, createEvmSender(network, pool))
  const signer = createSigner(keys.operator)
  const warnings: Warning[] = []
  const log = { ...silentLog, warn: (fields: object, message: string) => void warnings.push({ fields, message }) }
  await db.write(async (tx) => {
    const { merchantId, merchantName } = newPayment()
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`)
  })

  const write = async (call: { functionName: string; args: readonly unknown[]; key?: Hex }) => {
    const account = call.key === undefined ? customer : privateKeyToAccount(call.key)
    const { functionName, args } = call
    const hash = await chain.writeContract({ account, address: token, abi: testUsdc.abi, functionName, args } as never)
    return await receiptOf(chain, hash)
  }

  /** Mints to the address, and reports it as the watcher would. */
  async function mint(address: Hex, amount: bigint, blockTimeMs: number) {
    const receipt = await write({ functionName: 'mint', args: [address, amount] })
    return {
      network: 'devnet',
      txId: receipt.transactionHash,
      logIndex: 0,
      payer: customer.address,
      amount: baseUnits(String(amount)),
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash,
      blockTimeMs,
    }
  }

  async function load(id: PaymentId): Promise<DepositPayment> {
    const payment = await db.read((tx) => loadPayment(tx, id))
    if (payment?.mode !== 'deposit') throw new Error(`There is no deposit ${id}`)
    return payment
  }

  async function callAsStranger(functionName: 'settle' | 'payParked', id: PaymentId) {
    const args = [toTuple(parseDepositTerms((await load(id)).depositTerms))] as const
    const call = { address: factory, abi: depositFactory.abi, functionName, args } as const
    const hash = await chain.writeContract({ account: customer, ...call })
    return await receiptOf(chain, hash)
  }

  return {
    chain,
    db,
    ledger,
    clock,
    network,
    sender,
    signer,
    warnings,
    merchant,
    platform,
    customer,
    runtime,
    load,
    /** Another sweeper on the same file, as in a second process or after a restart. */
    sweeper: (changes: Partial<EvmSender> = {}, gasBalances = createGasBalances()): PayoutWorker =>
      createSweeper({ db, ledger, network, sender: { ...sender, ...changes }, signer, runtime, log, gasBalances }),
    blacklist: (address: Hex) => write({ functionName: 'blacklist', args: [address], key: keys.owner }),
    unblacklist: (address: Hex) => write({ functionName: 'unBlacklist', args: [address], key: keys.owner }),
    balanceOf: (address: Hex) => opened.balanceOf(address),

    /** A deposit whose money is at its address and confirmed. */
    async pay(changes: { amount?: bigint; merchant?: Hex; deadlineSeconds?: number } = {}): Promise<PaymentId> {
      const terms = {
        chainId,
        token,
        amount: due,
        least: due,
        merchant: changes.merchant ?? merchant,
        platform,
        feeBps,
        deadlineSeconds: changes.deadlineSeconds ?? 4_000_000_000,
        operator,
        factory,
        salt: `0x${Buffer.from(runtime.randomBytes(32)).toString('hex')}` as Hex,
      }
      const address = depositAddress(terms, factory)
      const transfer = await mint(address, changes.amount ?? due, clock.nowMs)
      const payment = newPayment({
        id: runtime.newUuid() as PaymentId,
        depositAddress: address,
        depositTerms: formatDepositTerms(terms),
        tokenAddress: token,
        windowEndsAtMs: clock.nowMs + 900_000,
        sequence: 0,
      })
      await db.write(async (tx) => {
        await ledger.createIn(tx, payment)
        await ledger.applyIn(tx, payment.id, { type: 'transfer.confirmed', transfer, atMs: clock.nowMs })
      })
      return payment.id
    },

    /** Another confirmed transfer to a deposit; `isLate`: after its window. */
    async payMore(id: PaymentId, amount: bigint, { isLate = false } = {}): Promise<Transfer> {
      const { depositAddress, windowEndsAtMs } = await load(id)
      const transfer = await mint(depositAddress as Hex, amount, isLate ? windowEndsAtMs + 1_000 : clock.nowMs)
      await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: clock.nowMs })
      return transfer
    },

    /** Ends the window. */
    async expire(id: PaymentId): Promise<void> {
      const { windowEndsAtMs } = await load(id)
      await ledger.apply(id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1_000, atMs: clock.nowMs })
    },

    requestRefund: (id: PaymentId, address: string) =>
      ledger.apply(id, { type: 'refund.requested', address, atMs: clock.nowMs }),

    /** Settles as a stranger, which anyone may do. */
    settleAsStranger: (id: PaymentId) => callAsStranger('settle', id),
    payParkedAsStranger: (id: PaymentId) => callAsStranger('payParked', id),

    /** The platform's parked shares. */
    parked: () => db.read(countParkedShares),

    /** Mines and passes until the payments have the status. */
    async passUntil(sweeper: PayoutWorker, status: Payment['status'], ids: readonly PaymentId[]): Promise<void> {
      for (let passes = 0; passes < passesMax; passes++) {
        const payments = await Promise.all(ids.map(load))
        if (payments.every((payment) => payment.status === status)) return
        await sweeper.pass(new AbortController().signal)
        await chain.mine({ blocks: 1 })
        clock.nowMs += 1_000
      }
      throw new Error(`Not ${status} after ${passesMax} passes: ${JSON.stringify(warnings)}`)
    },

    /** How often a deposit was settled on chain. */
    async settlements(id: PaymentId): Promise<number> {
      const address = (await load(id)).depositAddress as Hex
      const events = await chain.getContractEvents({
        address,
        abi: depositForwarder.abi,
        eventName: 'Settled',
        fromBlock: 0n,
      })
      return events.length
    },

    /** Refunds from a deposit on chain, in order. */
    async refunds(id: PaymentId): Promise<{ to: string; amount: bigint }[]> {
      const address = (await load(id)).depositAddress as Hex
      const query = { address, abi: depositForwarder.abi, eventName: 'Refunded', fromBlock: 0n } as const
      const events = await chain.getContractEvents(query)
      return events.map(({ args: { to = '', amount = 0n } }) => ({ to, amount }))
    },

    reorg: opened.reorg,

    operatorNonce: () => chain.getTransactionCount({ address: operator }),

    outgoing: () =>
      db.read((tx) =>
        tx.all<{ nonce: number; state: string; tx_id: Hex; id: string }>(
          sql`select id, nonce, state, tx_id from outgoing_transactions order by nonce, created_at_ms`,
        ),
      ),

    async close() {
      await db.close()
      await database.drop()
      await opened.stop()
    },
  }
}
