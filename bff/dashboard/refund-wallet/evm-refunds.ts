import { encodeCall, toHex } from '../../../widget/src/wallet/evm/call-data.ts'
import { connect, type PromptWhile, reachChain, stopFor } from '../../../widget/src/wallet/evm/connect-wallet.ts'
import { EvmWallet } from '../../../widget/src/wallet/evm/evm-wallet.ts'
import { type Wallet, WalletFinder } from '../../../widget/src/wallet/evm/injected-wallets.ts'
import { encodeSplitBefore } from '../../../widget/src/wallet/evm/split-call.ts'
import { cannotBatch, isCertainlyUnsent } from '../../../widget/src/wallet/evm/wallet-errors.ts'
import type { MerchantRefund } from '../../src/api-types.ts'
import { isOwnAddress, ownHolder } from './own-addresses.ts'
import {
  type OnAsk,
  promptFor,
  type RefundWallet,
  reportPrompt,
  type WalletAsk,
  type WalletStop,
} from './refund-prompt.ts'
import { refusalOf } from './wallet-refusal.ts'

type Call = { to: string; data: string }

const revertedBatch: WalletStop = { why: 'failed', message: 'The network did not execute the payment.' }
const stillPending: WalletStop = { why: 'failed', message: 'No block has the payment before this one yet.' }

/** Between two polls for the receipt of an approval: some wallets limit calls to their node. */
const pollMs = 1_500
/** A transaction not mined within this time is left to the person. */
const approvalMaxMs = 10 * 60_000

/** Listens for wallets (EIP-6963) for the life of the page. */
export function findEvmWallets(onFound: () => void): () => RefundWallet[] {
  const finder = new WalletFinder(onFound)
  finder.ask()
  return () => finder.wallets.map(toRefundWallet)
}

const toRefundWallet = ({ name, provider }: Wallet): RefundWallet => ({
  name: name || 'Ethereum',
  pay: (refunds, onAsk) => payRefunds(new EvmWallet(provider), refunds, onAsk),
})

const shownAs: Readonly<Record<string, WalletAsk>> = { connect: 'connect', switch: 'switch', add: 'switch' }

const promptsOn =
  (onAsk: OnAsk): PromptWhile =>
  (prompt, ask) => {
    onAsk(shownAs[prompt] ?? 'pay')
    return ask().finally(() => onAsk(null))
  }

async function payRefunds(
  wallet: EvmWallet,
  refunds: readonly MerchantRefund[],
  onAsk: OnAsk,
): Promise<WalletStop | null> {
  const [first] = refunds
  const chain = first?.wallet?.chain
  if (!first || !chain) return { why: 'mismatch' }
  const promptWhile = promptsOn(onAsk)
  const account = await connect(wallet, promptWhile)
  if (typeof account !== 'string') return refusalOf(account)
  const required = refunds.find((refund) => refund.wallet?.account)?.wallet?.account
  const isRequired = !required || required.toLowerCase() === account.toLowerCase()
  if (!isRequired && !(first.ownAddressesPay && (await isOwnAddress(first.network, account)))) {
    const holder = first.ownAddressesPay ? await ownHolder(refunds) : 'unknown'
    return typeof holder === 'string'
      ? { why: 'account', account: required }
      : { why: 'holder', account: holder.address }
  }
  const { chainId: id, name, rpcUrls, nativeCurrency: coin, explorerUrl } = chain
  const reached = await reachChain(
    wallet,
    { id, name, rpcUrls, coin, hasCoin: true, explorerUrl: explorerUrl ?? '' },
    promptWhile,
  )
  if (reached) return refusalOf(reached)
  const short = await missing(wallet, account, refunds)
  if (short?.why === 'funds' && first.ownAddressesPay) return await shortOf(wallet, short, refunds)
  if (short) return short
  const isAtomic = (await wallet.atomic(account, id)) !== 'unsupported'
  const payer = { wallet, account, chainId: id, onAsk }
  if (isAtomic) {
    const stop = await payTogether(payer, refunds)
    if (stop !== 'unbatched') return stop
  }
  // Each refund is a separate transaction, recorded by the service before the wallet is asked.
  let last: string | null = null
  for (const refund of refunds) {
    // A pending payment has not used its approval yet, which must not serve the next one. The service reports whether it reverted.
    if (last !== null && refund.call && (await endOf(wallet, last)) === null) return stillPending
    const sent = await payAlone(payer, refund)
    if (sent && 'why' in sent) return sent
    last = sent?.hash ?? null
  }
  return null
}

/** For addresses of the merchant's own wallet: which address holds enough, or that no single one does. */
async function shortOf(
  wallet: EvmWallet,
  short: Extract<WalletStop, { why: 'funds' }>,
  refunds: readonly MerchantRefund[],
): Promise<WalletStop> {
  const settlement = refunds.find((refund) => refund.wallet?.account)?.wallet?.account
  if (settlement && (await missing(wallet, settlement, refunds))?.why !== 'funds')
    return { why: 'holder', account: settlement }
  const holder = await ownHolder(refunds)
  if (holder === 'unknown') return short
  const { token, needed } = short
  return holder === 'none' ? { why: 'scattered', token, needed } : { why: 'holder', account: holder.address }
}

/** Why the account cannot pay all of them: too little of a token, or of the coin for the fee. */
async function missing(
  wallet: EvmWallet,
  account: string,
  refunds: readonly MerchantRefund[],
): Promise<WalletStop | null> {
  for (const [token, needed] of sumsOf(refunds)) {
    const held = await wallet.balance(token, account)
    if (held !== null && held < needed) return { why: 'funds', token, held, needed }
    // The transfer costs no more than the call that makes it.
    const fee = await wallet.missingFee(account, token, encodeCall('approve', account, 0n))
    if (fee > 0n) return { why: 'fee' }
  }
  return null
}

function sumsOf(refunds: readonly MerchantRefund[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { tokenAddress, remainingUnits } of refunds)
    sums.set(tokenAddress, (sums.get(tokenAddress) ?? 0n) + BigInt(remainingUnits))
  return sums
}

type Payer = { wallet: EvmWallet; account: string; chainId: number; onAsk: OnAsk }

/** Pays all by one signature (EIP-5792). `unbatched`: the wallet does not support batches after all. @throws {Fault} */
async function payTogether(payer: Payer, refunds: readonly MerchantRefund[]): Promise<WalletStop | null | 'unbatched'> {
  const { wallet, account, chainId, onAsk } = payer
  const needsApproval = (await approvals(payer, refunds)).length > 0
  if (refunds.length === 1 && !needsApproval) return 'unbatched'
  const { prompt, refunds: asked } = await promptFor(refunds, { account })
  try {
    const calls = [...(await approvals(payer, asked)), ...asked.map(callOf)].map((call) => ({ ...call, value: '0x0' }))
    onAsk('pay', asked)
    const batch = { version: '2.0.0', from: account, chainId: toHex(chainId), atomicRequired: true, calls }
    const answer = await wallet.ask('wallet_sendCalls', batch)
    onAsk('sent')
    const id = typeof answer === 'string' ? answer : (answer as { id?: unknown } | null)?.id
    await reportPrompt(prompt.id, { batchId: String(id) })
    return await endOfBatch(wallet, prompt.id, String(id))
  } catch (error) {
    if (cannotBatch(error)) {
      await reportPrompt(prompt.id, { isRejected: true })
      return 'unbatched'
    }
    return await stopAfter(prompt.id, error)
  } finally {
    onAsk(null)
  }
}

/**
 * Reports the batch's transaction once the wallet knows it. The service also finds the money without it, and ends the prompt of a
 * reverted one.
 */
async function endOfBatch(wallet: EvmWallet, promptId: string, id: string): Promise<WalletStop | null> {
  for (const endsAtMs = performance.now() + approvalMaxMs; performance.now() < endsAtMs; await pause()) {
    const { status, hash, isGivenUp } = await wallet.batchStatusOf(id)
    if (isGivenUp) {
      await reportPrompt(promptId, { isGivenUp: true })
      return { why: 'givenUp' }
    }
    if (hash) await reportPrompt(promptId, { transactionHash: hash })
    if (status === 'reverted') return revertedBatch
    if (hash || status !== 'pending') return null
  }
  return null
}

/** Pays one refund, after the approval that it needs. @throws {Fault} */
async function payAlone(payer: Payer, refund: MerchantRefund): Promise<WalletStop | { hash: string } | null> {
  const { wallet, account, onAsk } = payer
  try {
    for (const approval of await approvals(payer, [refund])) {
      onAsk('approve', [refund])
      const hash = String(await send(payer, approval, null))
      onAsk('allowed')
      const end = await endOf(wallet, hash)
      if (end !== 'done') throw new Error(end === null ? 'No block has the approval.' : 'The approval was reverted.')
    }
  } catch (error) {
    return refusalOf(stopFor(error))
  } finally {
    onAsk(null)
  }
  // For a plain transfer, which does not name the refund, the nonce makes a second transaction replace the first.
  const nonce = refund.call ? null : await wallet.nextNonce(account)
  const { prompt, refunds } = await promptFor([refund], { account })
  try {
    const [asked = refund] = refunds
    const call = callOf(asked)
    onAsk('pay', [asked])
    const hash = String(await send(payer, call, nonce))
    await reportPrompt(prompt.id, { transactionHash: hash })
    return { hash }
  } catch (error) {
    return await stopAfter(prompt.id, error)
  } finally {
    onAsk(null)
  }
}

/** The wallet's refusal. If the wallet may have sent, the prompt stays open. */
async function stopAfter(promptId: string, error: unknown): Promise<WalletStop | null> {
  const isMismatch = error instanceof RangeError
  if (!isMismatch && !isCertainlyUnsent(error)) return refusalOf(stopFor(error))
  await reportPrompt(promptId, { isRejected: true })
  return isMismatch ? { why: 'mismatch' } : refusalOf(stopFor(error))
}

function send({ wallet, account, chainId }: Payer, { to, data }: Call, nonce: number | null): Promise<unknown> {
  const transaction = { from: account, to, data, value: '0x0', chainId: toHex(chainId) }
  return wallet.ask('eth_sendTransaction', nonce === null ? transaction : { ...transaction, nonce: toHex(nonce) })
}

/** The missing approvals for the splitter, each for exactly the amount that it will take. */
async function approvals({ wallet, account }: Payer, refunds: readonly MerchantRefund[]): Promise<Call[]> {
  const calls: Call[] = []
  for (const [token, needed] of sumsOf(refunds.filter(({ call }) => call !== null))) {
    const call = refunds.find(({ tokenAddress, call: one }) => tokenAddress === token && one !== null)?.call
    if (!call) continue
    const spender = call.contractAddress
    const allowance = (await wallet.allowance(token, account, spender)) ?? 0n
    if (allowance >= needed) continue
    // Tether's contract accepts a new allowance only if there is none.
    if (allowance > 0n && call.approval.requiresReset)
      calls.push({ to: token, data: encodeCall('approve', spender, 0n) })
    calls.push({ to: token, data: encodeCall('approve', spender, needed) })
  }
  return calls
}

/** The call that pays the refund, encoded by the page. @throws {RangeError} when the service's call differs. */
function callOf({ id, call, address, tokenAddress, remainingUnits }: MerchantRefund): Call {
  if (address === null) throw new RangeError('Nobody has named the address.')
  if (!call) return { to: tokenAddress, data: encodeCall('transfer', address, BigInt(remainingUnits)) }
  const details = {
    token: tokenAddress,
    amount: BigInt(remainingUnits),
    paymentId: id,
    // Existing clients refuse the zero address, so the second recipient repeats the first with a share of zero.
    recipients: [address, address, `0x${'0'.repeat(40)}`],
    shares: [10_000, 0, 0],
  }
  const data = encodeSplitBefore(details, BigInt(call.before.deadline))
  if (data.toLowerCase() !== call.before.data.toLowerCase())
    throw new RangeError('The call is for another refund, amount or address.')
  return { to: call.contractAddress, data }
}

/** The transaction's result; null: not mined in time. */
async function endOf(wallet: EvmWallet, hash: string): Promise<'done' | 'reverted' | null> {
  for (const endsAtMs = performance.now() + approvalMaxMs; performance.now() < endsAtMs; await pause()) {
    const status = await wallet.statusOf(hash)
    if (status === 'done' || status === 'reverted') return status
  }
  return null
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs))
