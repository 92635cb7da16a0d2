import type { Balances, PaymentOption } from '../../api/payment-options.ts'
import { formatUnits } from '../units.ts'
import { type Provider, WalletFinder } from './injected-wallets.ts'

/** Maximum wallets: each costs a few calls, and nobody has more. */
const walletsMax = 5

/** Maximum wait: a later balance would move the options under the customer's finger. */
const waitMs = 400

/** One per page, because it listens for the life of the page. */
let finder: WalletFinder | null = null

/**
 * Balances of the options' tokens in wallets that are already connected to this page, each on its current network. Requests no permission
 * (`eth_accounts` lists only accounts permitted before) and calls no node: each wallet reads from its own.
 */
export async function balancesInWallets(options: readonly PaymentOption[]): Promise<Balances> {
  const balances = new Map<PaymentOption, string>()
  finder ??= new WalletFinder(() => {})
  finder.ask()
  const reads = finder.wallets
    .slice(0, walletsMax)
    .map(({ provider }) => readWallet(provider, options, balances).catch(() => {}))
  if (reads.length > 0) await Promise.race([Promise.all(reads), new Promise((resolve) => setTimeout(resolve, waitMs))])
  // A copy, so that a wallet that answers later changes nothing.
  return new Map(balances)
}

async function readWallet(
  provider: Provider,
  options: readonly PaymentOption[],
  balances: Map<PaymentOption, string>,
): Promise<void> {
  const [account] = ((await provider.request({ method: 'eth_accounts' })) ?? []) as unknown[]
  if (!/^0x[\da-f]{40}$/i.test(String(account))) return
  const chainId = Number(await provider.request({ method: 'eth_chainId' }))
  const here = options.filter((option) => option.chainId === chainId && option.tokenAddress && option.decimals <= 36)
  await Promise.all(
    here.map(async (option) => {
      const data = `0x70a08231${String(account).slice(2).padStart(64, '0')}`
      const call = { to: option.tokenAddress, data }
      const word = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
      if (!/^0x[\da-f]{64}$/i.test(String(word)) || BigInt(String(word)) === 0n) return
      balances.set(option, formatUnits(BigInt(String(word)), option.decimals))
    }),
  )
}
