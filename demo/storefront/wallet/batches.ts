import type { Hex } from 'viem'
import type { StorefrontNetwork } from '../config.ts'
import { askNode } from './node.ts'
import type { Batch } from './requests.ts'
import { batchOf, type SendBehaviour, type SendCall } from './send.ts'
import type { WalletAccount } from './wallet-account.ts'
import { WalletError } from './wallet-error.ts'

type Sent = { network: StorefrontNetwork; hash: Hex }
type Receipt = Record<string, unknown> & { status: string }

/** Batches that a page can still query. */
const keptMax = 200

/** Several calls in one transaction of the smart account, by EIP-5792. */
export function openBatches(send: SendCall) {
  const sent = new Map<string, Sent>()

  return {
    async send(
      network: StorefrontNetwork,
      account: WalletAccount,
      { id, calls }: Batch,
      behaviour: SendBehaviour,
    ): Promise<{ id: string }> {
      if (!account.isSmart) throw new WalletError(5760, 'This account does not support batches.')
      if (id !== null && sent.has(id)) throw new WalletError(5720, `Batch ${id} already exists.`)
      // The owner's own transaction: wrapping it would make the account call itself. If the wallet replaces it, it
      // reports the new hash.
      const owner = { ...account, isSmart: false }
      const hash = await send(network, owner, batchOf(account, calls), behaviour === 'replace' ? 'honest' : behaviour)
      const key = id ?? hash
      sent.set(key, { network, hash })
      const oldest = sent.keys().next()
      if (sent.size > keptMax && oldest.done !== true) sent.delete(oldest.value)
      return { id: key }
    },

    async status(id: unknown): Promise<Record<string, unknown>> {
      const known = sent.get(String(id))
      if (known === undefined) throw new WalletError(5730, `No batch ${String(id)}.`)
      const { network, hash } = known
      const receipt = (await askNode(network, 'eth_getTransactionReceipt', [hash])) as Receipt | null
      const facts = { version: '2.0.0', id, chainId: `0x${network.chainId.toString(16)}`, atomic: true }
      if (receipt === null) return { ...facts, status: 100 }
      const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = receipt
      const receipts = [{ logs, status, blockHash, blockNumber, gasUsed, transactionHash }]
      return { ...facts, status: status === '0x1' ? 200 : 500, receipts }
    },
  }
}
