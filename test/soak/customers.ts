import { setTimeout as sleep } from 'node:timers/promises'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import type { Devnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { erc20 } from '../harness/chain.ts'
import type { openFleet } from './replica-fleet.ts'

/** What each customer pays: so little that the test customer's 100,000 last for as long as anyone soaks. */
export const amount = { text: '1.00', units: 1_000_000n, merchant: 985_000n, platform: 15_000n }

/** One payment in so many is paid. */
const paidEvery = 10

const blockEveryMs = 1_000

/** A replica that does not answer within it is asked no more, and another one is. */
const answerMs = 10_000

/** Seconds' worth of creates that wait for an answer at the most: more, and the machine is slower than what is asked of it. */
const waitingMaxSeconds = 3

/** The rate is lowered to so much of itself then, and not again before so long. */
const lowerTo = 0.8
const lowerAgainMs = 10_000

type Created = { id: string; depositAddress: Hex }

/** A payment whose transfer is in a block. `blockAtMs`: of `performance.now()`, when the block was there. */
export type Paid = Created & { block: number; blockAtMs: number; isHeard: boolean }

type Fleet = Pick<ReturnType<typeof openFleet>, 'next'>

/**
 * Creates payments at an even pace at all replicas in turn, as shops' pages do behind a balancer.
 * @param callbackUrls - Of each tenth of the payments; the last of them never answers.
 */
export function openCreates(
  fleet: Fleet,
  headers: Record<string, string>,
  callbackUrls: readonly string[],
  rate: number,
) {
  const tookMs: number[] = []
  const toPay: (Created & { isHeard: boolean })[] = []
  const faults: string[] = []
  let perSecond = rate
  let loweredAtMs = 0
  let count = 0
  let repeats = 0
  let waiting = 0
  let isRunning = true

  /** Repeated with its key, as clients do, until a replica answers. */
  async function create(number: number): Promise<void> {
    const receiver = number % callbackUrls.length
    const order = { amount: amount.text, currency: 'USDC', network: 'devnet', callbackUrl: callbackUrls[receiver] }
    const startedMs = performance.now()
    const key = crypto.randomUUID()
    for (;;) {
      const answer = await fetch(`${fleet.next()?.url}/api/v1/deposits/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
        body: JSON.stringify(order),
        signal: AbortSignal.timeout(answerMs),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined)
      if (answer?.status === 200) {
        tookMs.push(performance.now() - startedMs)
        // Spread over all receivers.
        if (Math.floor(number / paidEvery) % paidEvery === receiver) {
          const { payment } = JSON.parse(answer.text) as { payment: Created }
          toPay.push({
            id: payment.id,
            depositAddress: payment.depositAddress,
            isHeard: receiver !== callbackUrls.length - 1,
          })
        }
        return
      }
      if (answer !== undefined && answer.status !== 503) return void faults.push(`${answer.status}: ${answer.text}`)
      repeats += 1
      await sleep(100)
    }
  }

  const running = (async () => {
    let dueAtMs = performance.now()
    while (isRunning) {
      dueAtMs = Math.max(dueAtMs + 1_000 / perSecond, performance.now() - 1_000)
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (waiting >= waitingMaxSeconds * perSecond) {
        if (performance.now() - loweredAtMs > lowerAgainMs) {
          perSecond *= lowerTo
          loweredAtMs = performance.now()
          process.stdout.write(
            `${waiting} creates wait: the machine is slow; from now on ${perSecond.toFixed(1)} a second\n`,
          )
        }
        continue
      }
      waiting += 1
      void create(count).finally(() => {
        waiting -= 1
      })
      count += 1
    }
  })()

  return {
    tookMs,
    faults,
    count: () => count,
    repeats: () => repeats,
    perSecond: () => perSecond,
    takeToPay: () => toPay.splice(0),
    async stop(): Promise<void> {
      isRunning = false
      await running
      while (waiting > 0) await sleep(50)
    },
  }
}

/** Makes a block each second, with all that is to be paid and all that the service has sent. */
export function openBlocks({ networks, customer }: Devnet, takeToPay: () => (Created & { isHeard: boolean })[]) {
  const [{ rpcUrl, chainId, tokens }] = networks
  const chain = devnetChain(rpcUrl, chainId)
  const account = privateKeyToAccount(customer.privateKey)
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport, cacheTime: 0 })
  const wallet = createWalletClient({ chain, transport, account })
  const paid: Paid[] = []
  const blockAtMs = new Map<number, number>()
  let isRunning = true

  async function makeBlock(): Promise<void> {
    const hashes: Hex[] = []
    const paying = takeToPay()
    let nonce = await reader.getTransactionCount({ address: account.address })
    for (const { depositAddress } of paying) {
      const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [depositAddress, amount.units] })
      hashes.push(
        await wallet.sendTransaction({ to: tokens.USDC.address, data, nonce, gas: 100_000n, type: 'eip1559' }),
      )
      nonce += 1
    }
    await rpcCall(rpcUrl, 'evm_mine', [])
    const atMs = performance.now()
    const block = Number(await reader.getBlockNumber())
    blockAtMs.set(block, atMs)
    for (const [index, one] of paying.entries()) {
      const { status, blockNumber } = await reader.getTransactionReceipt({ hash: hashes[index] as Hex })
      if (status !== 'success') throw new Error(`The payment of ${one.id} was reverted`)
      paid.push({ ...one, block: Number(blockNumber), blockAtMs: atMs })
    }
  }

  const running = (async () => {
    await rpcCall(rpcUrl, 'evm_setAutomine', [false])
    while (isRunning) {
      const startedMs = performance.now()
      await makeBlock()
      await sleep(Math.max(0, blockEveryMs - (performance.now() - startedMs)))
    }
  })()

  return {
    paid,
    blockAtMs,
    /** Base units of USDC, and of a sender all transactions in blocks. */
    balance: (wallet: Hex) =>
      reader.readContract({
        address: tokens.USDC.address,
        abi: erc20,
        functionName: 'balanceOf',
        args: [wallet],
      }) as Promise<bigint>,
    nonce: (sender: Hex) => reader.getTransactionCount({ address: sender }),
    /** Rejects where a block could not be made. */
    running,
    async stop(): Promise<void> {
      isRunning = false
      await running
    },
  }
}
