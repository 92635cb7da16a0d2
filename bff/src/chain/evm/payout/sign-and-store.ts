import type { Hex } from 'viem'
import { type Attempt, insertAttempt, markSent, nextNonce } from '../../../payout/outgoing-store.ts'
import type { StorePayouts } from '../../../payout/payout-chain.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { costMax, type Fees, parseRawTransaction } from '../send/evm-transaction.ts'
import { warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'

/** A call from the operator's account. `gas`: the transaction's gas limit. */
type Call = Fees & { to: Hex; data: Hex; gas: bigint }

type Stored = Pick<Attempt, 'raw' | 'txId'> & { nonce: number }

/**
 * Signs a call with the next nonce and stores it with its payouts. {@link broadcast} sends it afterwards.
 * @returns undefined if nothing was stored, because another process was faster or a payout has changed.
 */
export async function signAndStore(
  context: PayoutContext,
  call: Call,
  storePayouts: StorePayouts,
): Promise<Stored | undefined> {
  const { db, sender, signer, network, runtime, account } = context
  const stored = await db.read((tx) => nextNonce(tx, network.shortName, account))
  const nonce = Math.max(stored, await sender.nonce(account, 'pending'))
  const signed = await signer.signTransaction({ chainId: network.chainId, nonce, ...call })
  const id = runtime.newUuid()
  const attempt = { ...signed, network: network.shortName, id, sender: account, nonce, atMs: runtime.nowMs() }
  try {
    await db.write(async (tx) => {
      if ((await nextNonce(tx, network.shortName, account)) > nonce) throw new ConflictError()
      await storePayouts(tx, id)
      await insertAttempt(tx, attempt)
    })
  } catch (error) {
    if (error instanceof ConflictError) return undefined
    throw error
  }
  return { ...signed, nonce }
}

/**
 * Broadcasts a stored transaction. The node's response decides nothing: only a final block does.
 * @param from - The sender, if the context lacks its key: that account's lack of gas does not pause the context's account.
 * @throws {Error} when no node responds; the next pass broadcasts it again.
 */
export async function broadcast(
  context: PayoutContext,
  attempt: Pick<Attempt, 'raw' | 'txId'>,
  from: Hex = context.account,
): Promise<void> {
  const { db, sender, runtime, network, log } = context
  const result = await sender.broadcast(attempt.raw)
  await db.write((tx) => markSent(tx, attempt.txId, runtime.nowMs()))
  const fields = { network: network.shortName, txId: attempt.txId }
  switch (result.answer) {
    case 'known':
      log.debug(fields, 'A transaction was broadcast')
      break
    case 'no-gas':
      if (from === context.account) warnEmpty(context, { neededWei: costMax(parseRawTransaction(attempt.raw)) })
      else
        log.warn({ ...fields, address: from, reason: result.reason }, 'An account without a configured key has no gas')
      break
    case 'nonce-used':
      log.info(fields, 'The nonce is already used; the next pass finds the transaction that used it')
      break
    case 'refused':
      log.warn({ ...fields, reason: result.reason }, 'No RPC node accepted the transaction; retrying')
      break
    default:
      result satisfies never
  }
}
