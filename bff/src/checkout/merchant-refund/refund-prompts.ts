import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../access/context/caller.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { MerchantRefund } from '../../payment/merchant-refund.ts'
import { loadMerchantRefund, merchantsAt, transfersOfRefund } from '../../payment/store/merchant-refund-store.ts'
import { isNamed, isPayable, refundCallOf, usesOwnAddresses, withTransfers } from './merchant-refund-view.ts'
import {
  countPrompts,
  insertPrompt,
  openPromptOf,
  openPrompts,
  promptsPerRefundMax,
  type RefundPrompt,
  savePrompt,
} from './refund-prompt-store.ts'

type Deps = {
  db: Db
  networks: Networks
  chains: ReadonlyMap<string, WalletPayments>
  runtime: Runtime
  log: Log
  /** How long a page waits for the chain's answer about a prompt. */
  waitMs?: number
}

/** Nodes respond within a second; failing ones may take half a minute. */
const waitMsMax = 3_000

export type RefundPrompts = ReturnType<typeof createRefundPrompts>

export type PromptAsked = { refundIds: readonly string[]; account: string }

/** What the page reports about a prompt. */
export type PromptReport =
  | { transactionHash: string; batchId?: undefined; isRejected?: undefined; isGivenUp?: undefined }
  | { batchId: string; transactionHash?: undefined; isRejected?: undefined; isGivenUp?: undefined }
  | { isRejected: true; transactionHash?: undefined; batchId?: undefined; isGivenUp?: undefined }
  | { isGivenUp: true; transactionHash?: undefined; batchId?: undefined; isRejected?: undefined }

const askerOf = ({ session, id }: Caller): string => session?.id ?? id

const promptNotFound = (id: string) => new PaymentError('PROMPT_NOT_FOUND', `There is no open prompt ${id}.`)

/** Whether the watcher counts a plain transfer from the account as the merchant's; see `matchRefunds`. */
async function isOwnAccount(tx: Tx, { merchantId, wallets }: Caller, network: Network, account: string) {
  if (familyOf(network).isSameAddress(wallets.get(network.shortName) ?? '', account)) return true
  const key = account.toLowerCase()
  return usesOwnAddresses(network) && (await merchantsAt(tx, [key])).get(key) === merchantId
}

/** A splitter call is valid for an hour after the page reads it, which may be this long after the prompt. */
const callValidMs = 60 * 60 * 1000
const callReadWithinMs = 15 * 60 * 1000

/**
 * Stores what wallets are asked to sign for refunds, before they are asked: after a closed page, in a second tab, and for another
 * person, it shows that money may be on its way. A prompt ends when the wallet rejects it, when the chain proves that it can no
 * longer pay, or when a person releases it with a passkey.
 */
export function createRefundPrompts({ db, networks, chains, runtime, log, waitMs = waitMsMax }: Deps) {
  /** Pending checks by refund: a page that polls causes no further node calls. */
  const checks = new Map<string, Promise<void>>()

  /** @throws {PaymentError} 404, also for another merchant's refund. */
  async function ownIn(tx: Tx, caller: Caller, id: string): Promise<MerchantRefund> {
    const refund = await loadMerchantRefund(tx, id)
    if (refund?.merchantId !== caller.merchantId || refund.isTest !== caller.isTest)
      throw new PaymentError('REFUND_NOT_FOUND', `There is no refund ${id}.`)
    return refund
  }

  /** Ends the open prompts that the chain proves to be over. */
  async function endProven(network: Network, refundIds: readonly string[], signal: AbortSignal): Promise<void> {
    const check = chains.get(network.shortName)?.isPromptOver
    if (!check) return
    const open = await db.read(async (tx) => {
      const found = []
      for (const id of refundIds) {
        const prompt = await openPromptOf(tx, id as MerchantRefund['id'])
        const refund = prompt && (await loadMerchantRefund(tx, id))
        if (refund) found.push({ prompt, confirmations: refund.confirmations })
      }
      return found
    })
    for (const { prompt: stored, confirmations } of open) {
      const prompt = await withNonce(network, stored, confirmations !== null, signal)
      const isOver = await check({ ...prompt, confirmations }, signal).catch((error: unknown) => {
        log.warn({ network: network.shortName, promptId: prompt.id, err: error }, 'Reading a prompt failed')
        return false
      })
      if (isOver) await endPrompt(prompt, 'failed')
    }
  }

  /**
   * The prompt with the nonce of the wallet's transaction, stored once a node reports it: after the transaction is replaced or
   * dropped, no node knows it, and only the nonce identifies it.
   */
  async function withNonce(network: Network, prompt: RefundPrompt, isHighValue: boolean, signal: AbortSignal) {
    const { txId, account, nonce, deadlineMs } = prompt
    const read = chains.get(network.shortName)?.nonceOf
    if (!read || txId === null || nonce !== null || deadlineMs !== null) return prompt
    const sent = await read({ txId, account, isHighValue }, signal).catch((error: unknown) => {
      log.warn({ network: network.shortName, promptId: prompt.id, err: error }, 'Reading a nonce failed')
      return null
    })
    if (sent === null) return prompt
    return await db.write(async (tx) => {
      const open = await openPromptOf(tx, prompt.refundId)
      if (open?.id !== prompt.id || open.txId !== txId) return prompt
      savePrompt(tx, { ...open, nonce: sent })
      return { ...open, nonce: sent }
    })
  }

  const endPrompt = (prompt: RefundPrompt, endReason: 'failed') =>
    db.write(async (tx) => {
      const open = await openPromptOf(tx, prompt.refundId)
      // The page may have reported a transaction in the meantime.
      if (open?.id === prompt.id && open.txId === prompt.txId)
        savePrompt(tx, { ...open, endReason, endedAtMs: runtime.nowMs() })
    })

  /** @throws {PaymentError} REFUND_PROMPTED while another prompt can still pay the refund. */
  async function verifyUnprompted(tx: Tx, refund: MerchantRefund): Promise<void> {
    const open = await openPromptOf(tx, refund.id)
    if (!open) return
    const transfers = await transfersOfRefund(tx, refund.id)
    const hasArrived = transfers.some(({ txId, state }) => txId === open.txId && state === 'confirmed')
    // What it paid is confirmed and counted: only the rest is requested now.
    if (hasArrived) return savePrompt(tx, { ...open, endReason: 'arrived', endedAtMs: runtime.nowMs() })
    const at = new Date(open.askedAtMs).toISOString()
    throw new PaymentError('REFUND_PROMPTED', `A wallet was asked at ${at} to pay refund ${refund.id}.`)
  }

  return {
    /**
     * Stores that a wallet is about to be prompted, for all of the refunds or none.
     * @returns the refunds of the prompt.
     * @throws {PaymentError} when one of them is not payable, or another prompt can still pay it.
     */
    async ask(caller: Caller, asked: PromptAsked, signal: AbortSignal) {
      const ids = [...new Set(asked.refundIds)].toSorted()
      const first = await db.read((tx) => ownIn(tx, caller, ids[0] ?? ''))
      const network = findNetwork(networks, first.network)
      if (!network) throw new ValidationError(`network "${first.network}" is no longer configured`)
      const account = familyOf(network).parseAddress(asked.account)
      if (account === undefined)
        throw new ValidationError(`account must be an address: ${familyOf(network).addressFormat}`)
      await endProven(network, ids, signal)
      const id = runtime.newUuid()
      const refunds = await db.write(async (tx) => {
        const found: MerchantRefund[] = []
        for (const refundId of ids) {
          const refund = await ownIn(tx, caller, refundId)
          if (refund.network !== network.shortName)
            throw new ValidationError('refundIds must be of refunds on one network')
          if (!isPayable(await withTransfers(tx, refund)))
            throw new PaymentError('REFUND_NOT_PAYABLE', `Refund ${refundId} is ${refund.status}, or a test.`)
          await verifyUnprompted(tx, refund)
          if ((await countPrompts(tx, refund.id)) >= promptsPerRefundMax)
            throw new PaymentError(
              'REFUND_NOT_PAYABLE',
              `Wallets were asked ${promptsPerRefundMax} times; pay by a transfer.`,
            )
          const isOwn = await isOwnAccount(tx, caller, network, account)
          insertPrompt(tx, promptOf(id, refund, network, account, { caller, isOwn }))
          found.push(refund)
        }
        return found
      })
      log.info({ promptId: id, refundIds: ids, account, caller: caller.id }, 'A wallet is asked to pay refunds')
      return { id, network, account, refunds }
    },

    /**
     * Ends the refund's open prompt if the chain proves that it can no longer pay. If a slow node answers only after `waitMs`,
     * the next call sees the result.
     */
    async endOver({ id, network: shortName }: MerchantRefund, signal: AbortSignal): Promise<void> {
      const network = findNetwork(networks, shortName)
      if (!network) return
      const check = checks.get(id) ?? endProven(network, [id], signal).finally(() => checks.delete(id))
      checks.set(id, check)
      const waited = new AbortController()
      const patience = sleep(waitMs, undefined, { signal: waited.signal }).catch(() => undefined)
      await Promise.race([check, patience]).finally(() => waited.abort())
    },

    /**
     * Stores the wallet's response. Only the session or key that prompted the wallet may report it: others must not claim that
     * nothing was sent, or name a transaction whose nonce would end the prompt.
     * @throws {PaymentError} 404.
     */
    async report(
      caller: Caller,
      id: string,
      { transactionHash, batchId, isRejected, isGivenUp }: PromptReport,
      signal: AbortSignal,
    ) {
      const sent = await db.write(async (tx) => {
        const open = await openPrompts(tx, id, caller.merchantId)
        if (open.length === 0) throw promptNotFound(id)
        if (open.some(({ askedBy }) => askedBy !== askerOf(caller)))
          throw new PaymentError('PROMPT_NOT_FOUND', `Another session or key asked the wallet of prompt ${id}.`)
        for (const prompt of open) {
          // A wallet cannot reject what it has sent.
          if (isRejected && (prompt.txId !== null || prompt.batchId !== null))
            throw new PaymentError('REFUND_PROMPTED', `The wallet has sent what prompt ${id} asked for.`)
          if (isGivenUp && (prompt.txId !== null || prompt.batchId === null))
            throw new PaymentError('REFUND_PROMPTED', `The wallet has no batch of prompt ${id} that it could give up.`)
          const endReason = isRejected ? 'rejected' : isGivenUp ? 'failed' : null
          savePrompt(tx, {
            ...prompt,
            txId: transactionHash ?? prompt.txId,
            nonce: transactionHash === undefined || transactionHash === prompt.txId ? prompt.nonce : null,
            batchId: batchId ?? prompt.batchId,
            endReason,
            endedAtMs: endReason === null ? null : runtime.nowMs(),
          })
        }
        return await openPrompts(tx, id, caller.merchantId)
      })
      for (const prompt of sent) {
        const refund = await db.read((tx) => loadMerchantRefund(tx, prompt.refundId))
        const network = refund && findNetwork(networks, refund.network)
        if (network) await withNonce(network, prompt, refund.confirmations !== null, signal)
      }
    },

    /** Ends a prompt because a person states that nothing was sent. @returns the refunds. @throws {PaymentError} 404. */
    async release({ merchantId }: Caller, id: string): Promise<string[]> {
      return await db.write(async (tx) => {
        const open = await openPrompts(tx, id, merchantId)
        if (open.length === 0) throw promptNotFound(id)
        for (const prompt of open) savePrompt(tx, { ...prompt, endReason: 'released', endedAtMs: runtime.nowMs() })
        return open.map(({ refundId }) => refundId)
      })
    },
  }

  /** @throws {ValidationError} if the watcher would not match transfers from this account. */
  function promptOf(
    id: string,
    refund: MerchantRefund,
    network: Network,
    account: string,
    { caller, isOwn }: { caller: Caller; isOwn: boolean },
  ): RefundPrompt {
    const nowMs = runtime.nowMs()
    const hasCall = refundCallOf(network, refund, nowMs) !== undefined
    const wallet = familyOf(network).refundWallet(network)
    if (!wallet)
      throw new PaymentError('REFUND_NOT_PAYABLE', `No wallet in the browser pays on ${network.name}; send a transfer.`)
    if (!isNamed(wallet, hasCall) && !isOwn) {
      const others = usesOwnAddresses(network) ? ', or an address of it that a payment was given' : ''
      throw new ValidationError(
        `account must be the settlement wallet${others}: a transfer of ${account} names no refund`,
      )
    }
    return {
      id,
      refundId: refund.id,
      account,
      askedBy: askerOf(caller),
      nonce: null,
      deadlineMs: hasCall ? nowMs + callValidMs + callReadWithinMs : null,
      txId: null,
      batchId: null,
      askedAtMs: nowMs,
      endedAtMs: null,
      endReason: null,
    }
  }
}
