import { carriesAuthorization, raiseAuthorizationCost } from '../../../payment/store/authorization-store.ts'
import { insertAttempt, isNonceOpen, markReplaced, type Outgoing, reopenNonce } from '../../../payout/outgoing-store.ts'
import { replaceAfterMs } from '../../../payout/payout-retry.ts'
import { costMicros, wholeCostMax } from '../authorization/evm-authorizer.ts'
import type { Head } from '../send/evm-sender.ts'
import { type EvmTransaction, parseOwnTransaction, replacementFees } from '../send/evm-transaction.ts'
import { warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'
import { broadcast } from './sign-and-store.ts'

/** An empty transfer takes 21,000; some chains add data costs. Unused gas is not charged. */
const emptyTransferGas = 100_000n

/**
 * Signs the same call with the same nonce and higher fees. For a customer's authorization, the higher maximum cost counts towards
 * the operator's daily limit. Returns false when the gas balance is too low, or another process replaced it first.
 */
export async function replace(context: PayoutContext, outgoing: Outgoing, head: Head): Promise<boolean> {
  const { db, sender, signer, network, runtime, log, account, callCosts } = context
  const { newest, id, nonce } = outgoing
  const old = await parseOwnTransaction(newest.raw, { account, chainId: network.chainId, nonce })
  const transaction: EvmTransaction = { ...old, ...replacementFees(old, await sender.fees(head)) }
  const isSigned = callCosts !== undefined && (await db.read((tx) => carriesAuthorization(tx, id)))
  const l1FeeWei = isSigned ? await callCosts.l1FeeWei({ target: old.to, data: old.data }) : 0n
  const neededWei = wholeCostMax({ ...transaction, l1FeeWei })
  const balanceWei = await sender.balance(account)
  if (balanceWei < neededWei) {
    warnEmpty(context, { neededWei, balanceWei })
    return false
  }
  const signed = await signer.signTransaction(transaction)
  const attempt = { ...signed, network: network.shortName, id, sender: account, nonce, atMs: runtime.nowMs() }
  const isStored = await db.write(async (tx) => {
    if (!(await markReplaced(tx, newest.txId))) return false
    await insertAttempt(tx, attempt)
    if (isSigned) await raiseAuthorizationCost(tx, id, costMicros(neededWei, network))
    return true
  })
  if (!isStored) return false
  log.info(
    { network: network.shortName, nonce, txId: signed.txId, replaces: newest.txId },
    'A stuck transaction was replaced',
  )
  await broadcast(context, signed)
  return true
}

/**
 * Fills a missing nonce before the next transaction: a reorg deeper than the confirmations removed a transaction, or an external
 * one was dropped. Nothing can be mined until the nonce is used: by the old transaction if there is one, else by an empty
 * transfer.
 */
export async function fillGap(context: PayoutContext, next: Outgoing, head: Head, missing: number): Promise<number> {
  const { db, sender, signer, network, runtime, log, account } = context
  const nowMs = runtime.nowMs()
  if (next.nonce === missing || nowMs - next.newest.createdAtMs < (replaceAfterMs(1) ?? 0)) return 0
  const fields = { network: network.shortName, address: signer.address, nonce: missing }
  if ((await sender.nonce(account, 'pending')) > missing) {
    log.warn(fields, 'Deposits wait for an external transaction of the operator account')
    return 0
  }
  const empty = {
    chainId: network.chainId,
    nonce: missing,
    to: signer.address,
    data: '0x' as const,
    gas: emptyTransferGas,
  }
  const signed = await signer.signTransaction({ ...empty, ...(await sender.fees(head)) })
  const stored = await db.write(async (tx) => {
    if (await isNonceOpen(tx, network.shortName, account, missing)) return 'none'
    if (await reopenNonce(tx, network.shortName, account, missing)) return 'reopened'
    const id = runtime.newUuid()
    await insertAttempt(tx, { ...signed, network: network.shortName, id, sender: account, nonce: missing, atMs: nowMs })
    return 'filled'
  })
  if (stored === 'none') return 0
  log.warn(fields, 'Filling a missing nonce of the operator account so that later transactions can be mined')
  // The next pass broadcasts a reopened transaction.
  if (stored === 'filled') await broadcast(context, signed)
  return 1
}
