import { VersionedTransaction } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import type { openSolana } from './solana.ts'

type Chain = Awaited<ReturnType<typeof openSolana>>['chain']

type Sent = { signature?: number[]; refusal?: string }

/** A browser extension (Wallet Standard) with the local Solana customer's wallet, which sends real transactions. */
export function openMerchantSolanaWallet(chain: Chain) {
  const state = { behaviour: 'honest' as 'honest' | 'reject' }
  const signatures: string[] = []

  /** Signs and sends what the page requests. */
  async function send(bytes: number[]): Promise<Sent> {
    if (state.behaviour === 'reject') return { refusal: 'User rejected the request.' }
    const transaction = VersionedTransaction.deserialize(Uint8Array.from(bytes))
    transaction.sign([chain.payer])
    signatures.push(await chain.connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true }))
    return { signature: [...(transaction.signatures[0] ?? [])] }
  }

  return {
    state,
    signatures,
    async install(page: Page): Promise<void> {
      await page.exposeFunction('askSolanaWallet', send)
      await page.addInitScript(registerWallet, chain.payer.publicKey.toBase58())
    },
  }
}

/** Runs in the page. */
function registerWallet(address: string): void {
  const { askSolanaWallet } = window as unknown as { askSolanaWallet(bytes: number[]): Promise<Sent> }
  const accounts = [{ address, chains: ['solana:devnet'] }]
  const wallet = {
    version: '1.0.0',
    name: 'Solana wallet',
    icon: '',
    chains: ['solana:devnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        async signAndSendTransaction({ transaction }: { transaction: Uint8Array }) {
          const { signature, refusal } = await askSolanaWallet([...transaction])
          if (!signature) throw Object.assign(new Error(refusal), { code: 4001 })
          return [{ signature: Uint8Array.from(signature) }]
        },
      },
    },
  }
  const register = (api: { register(one: object): void }) => api.register(wallet)
  window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
