import { setTimeout as sleep } from 'node:timers/promises'
import type { RelayChain } from './chain.ts'
import { isOver, type Order } from './order.ts'
import type { Switches } from './switches.ts'

/** How long after its end an order is still polled. */
const watchMs = 60 * 60_000

type Deps = {
  chains: ReadonlyMap<number, RelayChain>
  orders: Map<string, Order>
  switches: () => Switches
  /** Called after each step, to store the orders. */
  save: () => void
  report: (sentence: string) => void
  nowMs: () => number
}

/** Moves real test tokens: takes an order's deposit, and delivers or refunds it. One step per order and pass. */
export function createSolver({ chains, orders, switches, save, report, nowMs }: Deps) {
  const chainOf = (chainId: number): RelayChain => {
    const chain = chains.get(chainId)
    if (chain === undefined) throw new Error(`Unknown chain ${chainId}`)
    return chain
  }

  async function step(order: Order): Promise<void> {
    switch (order.status) {
      case 'waiting':
        return await detect(order)
      case 'depositing':
      case 'pending':
      case 'delayed':
        return await decide(order)
      case 'failure':
        return await giveBack(order)
      case 'submitted':
        return await deliver(order)
      case 'success':
      case 'refund':
        return
      default:
        return order.status satisfies never
    }
  }

  async function detect(order: Order): Promise<void> {
    const { originToken, depositAddress, originBlock } = order
    if (order.isHidden) return
    const chain = chainOf(order.originChainId)
    const received = await chain.balance(originToken, depositAddress)
    if (received === 0n) return
    const transfer = await chain.newestTransfer(originToken, depositAddress, BigInt(originBlock))
    if (transfer === undefined) return
    const { outcome, delayMs } = switches()
    Object.assign(order, { status: 'depositing', received: String(received), outcome, readyAtMs: nowMs() + delayMs })
    Object.assign(order, { payer: transfer.payer, inTxHash: transfer.txHash })
    if (delayMs > 0) order.status = 'delayed'
  }

  async function decide(order: Order): Promise<void> {
    if (nowMs() < order.readyAtMs) return
    if (order.status !== 'pending') {
      order.status = 'pending'
      return
    }
    order.failReason = whyNot(order)
    if (order.failReason === null) return await deliver(order)
    order.status = 'failure'
  }

  /** A strict order is filled exactly as quoted, or not at all. */
  function whyNot({ outcome, received, amountIn, expiresAtMs }: Order): string | null {
    if (outcome === 'expire' || nowMs() > expiresAtMs) return 'ORDER_EXPIRED'
    if (outcome === 'refund') return 'SOLVER_REJECTED'
    return BigInt(received ?? '0') < BigInt(amountIn) ? 'DEPOSITED_AMOUNT_TOO_LOW' : null
  }

  /** Each step first checks whether it is done: the process may have been killed, or a chain unavailable, halfway. */
  async function deliver(order: Order): Promise<void> {
    const { privateKey, originToken, depositAddress, destinationToken, recipient, amountOut, payer } = order
    const [origin, destination] = [chainOf(order.originChainId), chainOf(order.destinationChainId)]
    const amountIn = BigInt(order.amountIn)
    order.status = 'submitted'
    save()
    const held = await origin.balance(originToken, depositAddress)
    if (held > amountIn && payer !== null) {
      order.refundTxHash = await origin.transfer(privateKey, originToken, payer, held - amountIn)
    }
    if (held >= amountIn) await origin.transfer(privateKey, originToken, origin.solver, amountIn)
    const paid = await destination.newestTransfer(destinationToken, recipient, BigInt(order.destinationBlock))
    const amount = order.outcome === 'short' ? BigInt(amountOut) / 2n : BigInt(amountOut)
    order.outTxHash = paid?.txHash ?? (await destination.pay(destinationToken, recipient, amount))
    order.status = 'success'
  }

  async function giveBack(order: Order): Promise<void> {
    const { privateKey, originToken, depositAddress, payer } = order
    const chain = chainOf(order.originChainId)
    const amount = await chain.balance(originToken, depositAddress)
    if (payer === null || amount === 0n) return
    order.refundTxHash = await chain.transfer(privateKey, originToken, payer, amount)
    order.status = 'refund'
  }

  async function pass(): Promise<void> {
    for (const order of orders.values()) {
      if (isOver(order) || nowMs() > order.expiresAtMs + watchMs) continue
      const before = JSON.stringify(order)
      try {
        await step(order)
      } catch (error) {
        report(`relay: order ${order.requestId}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
      }
      if (JSON.stringify(order) !== before) save()
    }
  }

  return {
    /** Runs until aborted, then finishes the current step. Never rejects. */
    async run(pauseMs: number, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await pass()
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    },
  }
}
