import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, ContractPaymentBody, CrossChainBody, openBff, PaymentBody } from './bff.ts'
import { isOnSolana, type Paid, shareOf, whole } from './paid.ts'
import { openPayer } from './payer.ts'
import { openSolanaCustomers } from './solana-customers.ts'
import type { Story } from './story.ts'
import { until } from './until.ts'

/** Pause between rounds, each of which makes a block: more would put the chain's clock far ahead. */
const roundMs = 500

/** Creates per round that nobody pays. */
const unpaidEach = 4

/** A replica that does not respond in this time is dropped for another one. */
const answerMs = 5_000

/** How long a request is retried: by then an unavailable database or a full disk has recovered. */
const patienceMs = 60_000

type Replica = ReturnType<typeof openBff>

export async function readPayment(replica: Replica, id: string): Promise<Record<string, unknown>> {
  const { status, body } = await replica.get(`/payments/${id}`)
  if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
  return body['payment'] as Record<string, unknown>
}

/**
 * `isMixed`: each round has a payment from the other chain, and only every third has payments on the EVM network. If the story
 * includes Solana, each round has two there.
 */
export type LoadOptions = { isMixed?: boolean }

/**
 * Customers who create and pay continuously, whatever happens to the replicas. @param inTurn - The replicas to call, in order.
 */
export function openLoad(story: Story, inTurn: () => readonly Replica[], { isMixed = false }: LoadOptions = {}) {
  const { chain } = story
  const payer = openPayer(story)
  const paid: Paid[] = []
  const onSolana = story.onSolana && openSolanaCustomers(story.onSolana, createDeposit)
  const refusals: Answer[] = []
  let isRunning = true

  /** Retries like a client that gets no response, or is told to come back: with the same key, until a replica responds. */
  async function post(send: (replica: Replica, headers: Record<string, string>) => Promise<Answer>): Promise<Answer> {
    const key = { 'idempotency-key': randomUUID() }
    return await until(
      'an answer to a create',
      async () => {
        const [replica] = inTurn()
        if (!replica) return undefined
        const answer = await within(send(replica, key))
        // A takeover on a busy machine may take so long that nobody has watched the network for a while.
        if (answer.status === 503 || answer.body['code'] === 'NETWORK_UNAVAILABLE') return undefined
        if (answer.status !== 200) refusals.push(answer)
        return answer
      },
      patienceMs,
    )
  }

  async function createDeposit(network = 'devnet'): Promise<PaymentBody> {
    const { body } = await post((replica, key) => replica.postDeposit({ amount: '25.00', network }, key))
    return body['payment'] as PaymentBody
  }
  const createByWallet = async () =>
    (await post((replica, key) => replica.postPayment({ amount: '25.00' }, key))).body['payment'] as ContractPaymentBody

  /** Pays all in one block. */
  async function payAll(exact: PaymentBody, overpaid: PaymentBody, byWallet: ContractPaymentBody | undefined) {
    if (byWallet && paid.every(({ kind }) => kind !== 'by wallet'))
      await payer.approveUnits(byWallet.contractCall, 1_000_000n * whole)
    const transfers = chain.transferCalls([
      { to: exact.depositAddress, amount: '25.00' },
      { to: overpaid.depositAddress, amount: '30.00' },
    ])
    const call = byWallet && { to: byWallet.contractCall.contractAddress, data: byWallet.contractCall.data }
    const txIds = await chain.callTogether([...transfers, ...(call ? [call] : [])])
    const refundTo = `0x${randomBytes(20).toString('hex')}`
    paid.push({ id: exact.id, kind: 'exact', depositAddress: exact.depositAddress })
    paid.push({
      id: overpaid.id,
      kind: 'overpaid',
      depositAddress: overpaid.depositAddress,
      refundTo,
      clientSecret: String(overpaid['clientSecret']),
    })
    if (!byWallet) return
    paid.push({ id: byWallet.id, kind: 'by wallet' })
    // As from a page that may be closed now: the watcher still finds the payment.
    const [replica] = inTurn()
    void replica?.process(byWallet, txIds.at(-1) ?? '').catch(() => undefined)
  }

  /** The customer's money is on the other chain; the merchant is paid here. */
  async function payByBridge(): Promise<void> {
    const { body } = await post((replica, key) => replica.postCrossChain({ amount: '25.00' }, key))
    const { id, relayDepositAddress, amountToSendFormatted, destination } = body['payment'] as CrossChainBody
    await chain.pay(relayDepositAddress, amountToSendFormatted, { network: 'devnet-b' })
    paid.push({ id, kind: 'bridged', depositAddress: destination.address })
  }

  /** Customers who are owed money name an address. */
  async function askBack(): Promise<void> {
    for (const one of paid.filter(({ clientSecret }) => clientSecret !== undefined)) {
      const [replica] = inTurn()
      if (!replica) return
      const { id, refundTo: address = '', clientSecret = '' } = one
      const answer = await within(replica.requestRefund(id, { address, clientSecret })).catch(() => undefined)
      if (answer?.status === 200) delete one.clientSecret
    }
  }

  const running = (async () => {
    for (let round = 0; isRunning; round += 1) {
      const unpaid = Array.from({ length: isMixed ? 0 : unpaidEach }, () => createDeposit())
      if (!isMixed || round % 3 === 0) {
        const byWallet = round % 3 === 0 ? await createByWallet() : undefined
        await payAll(await createDeposit(), await createDeposit(), byWallet)
      }
      if (onSolana) paid.push(...(await onSolana.pay()))
      if (isMixed) await payByBridge()
      await askBack()
      await Promise.all(unpaid)
      await sleep(roundMs)
    }
  })()
  // Reported when the load is stopped.
  running.catch(() => undefined)

  const onEvm = () => paid.filter((one) => !isOnSolana(one))

  return {
    paid,
    async stop(): Promise<void> {
      isRunning = false
      await running.catch((error: unknown) => expect({ error, refusals }).toEqual({}))
      await until(
        'all refunds to be asked for',
        async () => {
          await chain.mine(1)
          await onSolana?.finalize()
          await askBack()
          return paid.every(({ clientSecret }) => clientSecret === undefined)
        },
        patienceMs,
      )
    },
    /** Whether nothing more will happen to it. */
    isEnded({ status, refund, bridgeStatus }: Record<string, unknown>): boolean {
      const state = (refund as { state: string } | null | undefined)?.state
      const isBridgeOver = (bridgeStatus ?? 'success') === 'success'
      return (
        (status === 'swept' || status === 'completed') && (state === undefined || state === 'refunded') && isBridgeOver
      )
    },
    /**
     * Nothing is left at any address, customers who overpaid got exactly the excess, and on Solana the wallets hold what was paid
     * there.
     */
    async expectRefundedOnce(): Promise<void> {
      for (const { id, depositAddress, refundTo } of onEvm()) {
        if (depositAddress) expect([id, await chain.balance('USDC', depositAddress)]).toEqual([id, 0n])
        if (refundTo) expect([id, await chain.balance('USDC', refundTo)]).toEqual([id, 5n * whole])
      }
      await onSolana?.expectToClose(paid.filter(isOnSolana))
    },
    /** The wallets' earnings on the EVM network, in whole tokens. */
    shares: () => ({
      merchant: chain.format(shareOf.merchant * BigInt(onEvm().length)),
      platform: chain.format(shareOf.platform * BigInt(onEvm().length)),
    }),
  }
}

/** @throws {Error} after `answerMs`: a stopped process never responds. */
export async function within<Value>(promise: Promise<Value>): Promise<Value> {
  const timeout = new AbortController()
  const late = sleep(answerMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error('no answer in time')
  })
  late.catch(() => undefined)
  return await Promise.race([promise, late]).finally(() => timeout.abort())
}
