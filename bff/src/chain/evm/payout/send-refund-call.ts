import type { Tx } from '../../../db/db.ts'
import { insertAttempt, nextNonce } from '../../../payout/outgoing-store.ts'
import { encodeRefund, type RefundCall } from '../deposit/refund-call.ts'
import { broadcast } from './broadcast.ts'
import type { Head } from './evm-sender.ts'
import { costMax } from './evm-transaction.ts'
import { warnEmpty } from './gas-balance.ts'
import type { SweepContext } from './payout-context.ts'
import { TakenError } from './send-sweeps.ts'

/** What the recipient's first balance of the token may cost beyond what was measured. */
const spareGas = 20_000n

/** Gas to send with, from what was measured. What is not used is not paid. */
export const withSpareGas = (gas: bigint): bigint => (gas * 6n) / 5n + spareGas

/**
 * Signs a call of the forwarder's refund, stores it, and only then broadcasts it.
 * @param claim - In the commit that stores it: takes the row that asked for it. Throws {@link TakenError} when it is not to
 *   be sent any more.
 * @returns undefined when nothing was stored, because the tank is empty or something else was faster.
 */
export async function sendRefundCall(
  context: SweepContext,
  { call, gas, head }: { call: RefundCall; gas: bigint; head: Head },
  claim: (tx: Tx, transactionId: string) => Promise<void>,
): Promise<{ txId: string; nonce: number } | undefined> {
  const { db, sender, signer, network, runtime, account } = context
  const fees = await sender.fees(head)
  const balanceWei = await sender.balance(account)
  if (costMax({ gas, ...fees }) > balanceWei) {
    warnEmpty(context, { neededWei: costMax({ gas, ...fees }), balanceWei })
    return undefined
  }
  const stored = await db.read((tx) => nextNonce(tx, network.shortName, account))
  const nonce = Math.max(stored, await sender.nonce(account, 'pending'))
  const data = encodeRefund(call)
  const transaction = { chainId: network.chainId, nonce, to: call.terms.factory, data, gas, ...fees }
  const signed = await signer.signTransaction(transaction)
  const id = runtime.newUuid()
  const attempt = { ...signed, network: network.shortName, id, sender: account, nonce, atMs: runtime.nowMs() }
  try {
    await db.write(async (tx) => {
      if ((await nextNonce(tx, network.shortName, account)) > nonce) throw new TakenError()
      await claim(tx, id)
      await insertAttempt(tx, attempt)
    })
  } catch (error) {
    if (error instanceof TakenError) return undefined
    throw error
  }
  await broadcast(context, signed)
  return { txId: signed.txId, nonce }
}
