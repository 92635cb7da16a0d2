import { isRefusal, messageOf } from '../../../widget/src/wallet/evm/wallet-errors.ts'
import { verifyTransaction } from '../../../widget/src/wallet/solana/solana-transaction.ts'
import { type SolanaWallet, SolanaWalletFinder } from '../../../widget/src/wallet/solana/solana-wallets.ts'
import { toBase58, tokenAccountOf } from '../../../widget/src/wallet/solana/token-account.ts'
import type { MerchantRefund } from '../../src/api-types.ts'
import { type OnAsk, promptFor, type RefundWallet, reportPrompt, type WalletStop } from './refund-prompt.ts'

/** Listens for wallets (Wallet Standard) for the life of the page. */
export function findSolanaWallets(onFound: () => void): () => RefundWallet[] {
  const finder = new SolanaWalletFinder(onFound)
  finder.ask()
  return () =>
    finder.wallets.map((wallet) => ({
      name: wallet.name,
      pay: (refunds, onAsk) => payEach(wallet, refunds, onAsk),
    }))
}

/** @throws {Fault} */
async function payEach(wallet: SolanaWallet, refunds: readonly MerchantRefund[], onAsk: OnAsk) {
  for (const refund of refunds) {
    const stop = await pay(wallet, refund, onAsk)
    if (stop) return stop
  }
  return null
}

/** @throws {Fault} */
async function pay(wallet: SolanaWallet, refund: MerchantRefund, onAsk: OnAsk): Promise<WalletStop | null> {
  try {
    onAsk('connect')
    const known = wallet.known()
    const { accounts } = known.length > 0 ? { accounts: known } : await wallet.connect.connect()
    onAsk(null)
    const [account] = accounts
    if (!account) return { why: 'locked' }
    const { prompt, refunds } = await promptFor([refund], { account: account.address })
    const [asked = refund] = refunds
    const transaction = Uint8Array.from(atob(prompt.transaction ?? ''), (one) => one.charCodeAt(0))
    try {
      await verify(transaction, asked, account.address)
    } catch {
      await reportPrompt(prompt.id, { isRejected: true })
      return { why: 'mismatch' }
    }
    onAsk('pay', [asked])
    return await sendAndReport(wallet, prompt.id, { account, transaction, chain: chainOf(refund) })
  } catch (error) {
    if (isRefusal(error)) return { why: 'rejected' }
    throw error
  } finally {
    onAsk(null)
  }
}

type Input = Parameters<SolanaWallet['send']['signAndSendTransaction']>[0]

async function sendAndReport(wallet: SolanaWallet, promptId: string, input: Input): Promise<WalletStop | null> {
  try {
    const [sent] = await wallet.send.signAndSendTransaction(input)
    if (!sent) throw new Error('The wallet returned no signature.')
    await reportPrompt(promptId, { transactionHash: toBase58(sent.signature) })
    return null
  } catch (error) {
    // Any other error leaves open whether the wallet has sent.
    if (!isRefusal(error)) return { why: 'failed', message: messageOf(error) }
    await reportPrompt(promptId, { isRejected: true })
    return { why: 'rejected' }
  }
}

/** @throws {RangeError} when the service's transaction does anything but pay this refund. */
async function verify(transaction: Uint8Array, refund: MerchantRefund, account: string): Promise<void> {
  const { address, tokenAddress: mint, tokenDecimals: decimals, remainingUnits, paymentUri } = refund
  if (address === null || paymentUri === null) throw new RangeError('Nothing is due.')
  const recipients = [{ owner: address, account: await tokenAccountOf(mint, address), amount: BigInt(remainingUnits) }]
  const source = await tokenAccountOf(mint, account)
  const reference = new URL(paymentUri).searchParams.get('reference')
  verifyTransaction(transaction, { account, source, mint, decimals, recipients, reference })
}

/** The cluster's name in wallets: https://github.com/anza-xyz/wallet-standard. */
function chainOf({ network }: MerchantRefund): string {
  if (network === 'solana') return 'solana:mainnet'
  return network.includes('testnet') ? 'solana:testnet' : 'solana:devnet'
}
