import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import type { StorefrontNetwork } from '../config.ts'
import { WalletError } from './wallet-error.ts'

/** A local node answers in milliseconds. */
const timeoutMs = 10_000

type NodeAnswer = { result?: unknown; error?: { code?: number; message?: string; data?: unknown } }

/**
 * One JSON-RPC call.
 * @throws {WalletError} with the node's own code, message and data, as a wallet forwards them.
 */
export async function askNode(
  { rpcUrl, name }: StorefrontNetwork,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await withTimeout(timeoutMs, [], async (signal) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body, signal })
    return (await response.json()) as NodeAnswer
  }).catch(() => null)
  if (answer === null) throw new WalletError(-32603, `${name} does not respond.`)
  const { result, error } = answer
  if (error === undefined) return result
  throw new WalletError(error.code ?? -32603, error.message ?? 'The node gave no reason.', error.data)
}

const lookEveryMs = 50
const minedWithinMs = 15_000

/**
 * Waits until the transaction is mined.
 * @throws {WalletError} when it reverted, or on timeout.
 */
export async function untilMined(network: StorefrontNetwork, hash: string): Promise<void> {
  const deadlineMs = Date.now() + minedWithinMs
  while (Date.now() < deadlineMs) {
    const receipt = await askNode(network, 'eth_getTransactionReceipt', [hash])
    if (receipt === null) {
      await sleep(lookEveryMs)
      continue
    }
    if ((receipt as { status: string }).status === '0x1') return
    throw new WalletError(-32603, `${network.name} reverted ${hash}.`)
  }
  throw new WalletError(-32603, `${network.name} did not include ${hash} in time.`)
}
