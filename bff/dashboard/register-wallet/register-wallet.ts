import { connect, type PromptWhile, reachChain, stopFor } from '../../../widget/src/wallet/evm/connect-wallet.ts'
import { EvmWallet, type TransactionStatus } from '../../../widget/src/wallet/evm/evm-wallet.ts'
import { WalletFinder } from '../../../widget/src/wallet/evm/injected-wallets.ts'
import type { RegistrationChain } from '../api/registration.ts'
import { refusalOf, type WalletRefusal } from '../refund-wallet/wallet-refusal.ts'
import { registerCall } from './register-call.ts'

/** The request to the wallet. */
export type RegistrationAsk = 'connect' | 'switch' | 'register'

/** Why the wallet sent nothing. `message` comes from the wallet. */
export type RegistrationStop = WalletRefusal | { why: 'account' }

/** The status is read from the sending wallet, whose node knows the transaction first. */
export type Sent = { status(): Promise<TransactionStatus> }

type Registering = {
  /** The account that registers itself. */
  address: string
  salt: string
  chain: RegistrationChain
  /** Called with each request to the wallet; null: none is open. */
  onAsk(ask: RegistrationAsk | null): void
}

/** A wallet of this browser. */
export type RegistrationWallet = { name: string; register(registering: Registering): Promise<Sent | RegistrationStop> }

/** Listens for wallets (EIP-6963) for the life of the page. */
export function findRegistrationWallets(onFound: () => void): () => RegistrationWallet[] {
  const finder = new WalletFinder(onFound)
  finder.ask()
  return () =>
    finder.wallets.map(({ name, provider }) => ({
      name: name || 'Ethereum',
      register: (registering) => register(new EvmWallet(provider), registering),
    }))
}

async function register(
  wallet: EvmWallet,
  { address, salt, chain, onAsk }: Registering,
): Promise<Sent | RegistrationStop> {
  const promptWhile: PromptWhile = (prompt, ask) => {
    onAsk(prompt === 'connect' ? 'connect' : 'switch')
    return ask().finally(() => onAsk(null))
  }
  const account = await connect(wallet, promptWhile)
  if (typeof account !== 'string') return refusalOf(account)
  // The registry registers the sender: from another account the transaction fails, and still costs its fee.
  if (account.toLowerCase() !== address.toLowerCase()) return { why: 'account' }
  const { chainId: id, name, rpcUrls, nativeCurrency: coin, explorerUrl } = chain
  const reached = await reachChain(
    wallet,
    { id, name, rpcUrls, coin, hasCoin: false, explorerUrl: explorerUrl ?? '' },
    promptWhile,
  )
  if (reached) return refusalOf(reached)
  onAsk('register')
  try {
    const call = { from: account, ...registerCall(salt), value: '0x0', chainId: `0x${id.toString(16)}` }
    const hash = String(await wallet.ask('eth_sendTransaction', call))
    return { status: () => wallet.statusOf(hash) }
  } catch (error) {
    return refusalOf(stopFor(error))
  } finally {
    onAsk(null)
  }
}
