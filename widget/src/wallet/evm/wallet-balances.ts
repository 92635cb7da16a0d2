import type { Balances, PaymentOption } from '../../api/payment-options.ts'
import { formatUnits } from '../units.ts'
import { type Provider, WalletFinder } from './injected-wallets.ts'

/** Each wallet is asked a few questions; nobody has more. */
const walletsMax = 5

/** A wallet that takes longer would move the options under the customer's finger. */
const waitMs = 400

/** One for the page: it listens for the page's life. */
let finder: WalletFinder | null = null

/**
 * What wallets that are already connected to this page hold of the options, on the network that each is on. Asks for no
 * permission (`eth_accounts` lists only what was permitted before), and calls no node: the wallet reads from its own.
 */
export async function balancesInWallets(options: readonly PaymentOption[]): Promise<Balances> {
  const balances = new Map<PaymentOption, string>()
  finder ??= new WalletFinder(() => {})
  finder.ask()
  const reads = finder.wallets
    .slice(0, walletsMax)
    .map(({ provider }) => readWallet(provider, options, balances).catch(() => {}))
  if (reads.length > 0) await Promise.race([Promise.all(reads), new Promise((resolve) => setTimeout(resolve, waitMs))])
  // A copy: a wallet that answers later changes nothing any more.
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
