import type { Json } from '../../payment.ts'
import { encodeCall, fromHex, parseText, toHex } from './call-data.ts'
import type { Chain, Order } from './evm-order.ts'
import type { Provider } from './injected-wallets.ts'
import type { Atomic } from './prompt-plan.ts'
import { codeOf } from './wallet-errors.ts'

/** A transaction's state at the wallet's node; `unknown` when the wallet fails to answer. */
export type TransactionStatus = 'pending' | 'done' | 'reverted' | 'gone' | 'unknown'

/** Added to the estimate of the network fee, because the base fee may rise while the customer reads. */
const feeMarginPercent = 20n

/** Capabilities name chains in hex without leading zeros; `0x0` stands for all. */
type Capabilities = Record<string, { atomic?: { status?: unknown; supported?: unknown } } | undefined>

/** One wallet, for one account. Reads return null when the wallet fails to answer. */
export class EvmWallet {
  private readonly provider: Provider

  constructor(provider: Provider) {
    this.provider = provider
  }

  ask(method: string, ...params: unknown[]): Promise<unknown> {
    return this.provider.request(params.length > 0 ? { method, params } : { method })
  }

  /** The account selected for this page; empty when none is connected. */
  async account(): Promise<string> {
    return firstOf(await this.ask('eth_accounts'))
  }

  async connect(): Promise<string> {
    return firstOf(await this.ask('eth_requestAccounts'))
  }

  async chainId(): Promise<number> {
    const id = await this.ask('eth_chainId')
    // WalletConnect's provider returns a number.
    return typeof id === 'number' ? id : Number(fromHex(id))
  }

  async switchTo(chain: Chain): Promise<void> {
    await this.ask('wallet_switchEthereumChain', { chainId: toHex(chain.id) })
  }

  async add({ id, name, rpcUrls, coin, explorerUrl }: Chain): Promise<void> {
    const chain = { chainId: toHex(id), chainName: name, rpcUrls, nativeCurrency: coin }
    await this.ask('wallet_addEthereumChain', explorerUrl ? { ...chain, blockExplorerUrls: [explorerUrl] } : chain)
  }

  balance(token: string, account: string): Promise<bigint | null> {
    return this.number('eth_call', { to: token, data: encodeCall('balanceOf', account) }, 'latest')
  }

  allowance(token: string, account: string, spender: string): Promise<bigint | null> {
    return this.number('eth_call', { to: token, data: encodeCall('allowance', account, spender) }, 'latest')
  }

  decimals(token: string): Promise<bigint | null> {
    return this.number('eth_call', { to: token, data: encodeCall('decimals') }, 'latest')
  }

  /** One word returned by a contract, in lower case; empty when the wallet fails to answer. */
  async word(to: string, data: string): Promise<string> {
    const answer = String(await this.orNull('eth_call', { to, data }, 'latest'))
    return /^0x[\da-f]{64}$/i.test(answer) ? answer.toLowerCase() : ''
  }

  /** The token's own symbol; empty when the wallet fails to answer. */
  async symbol(token: string): Promise<string> {
    return parseText(await this.orNull('eth_call', { to: token, data: encodeCall('symbol') }, 'latest'))
  }

  permitNonce(token: string, account: string): Promise<bigint | null> {
    return this.number('eth_call', { to: token, data: encodeCall('nonces', account) }, 'latest')
  }

  /** The account's next nonce; null for a contract account, whose nonce is unrelated to its transactions. */
  async nextNonce(account: string): Promise<number | null> {
    const code = await this.orNull('eth_getCode', account, 'latest')
    // An account that delegates to code (EIP-7702) still counts its own transactions.
    if (code !== '0x' && !String(code).startsWith('0xef0100')) return null
    return this.transactionCount(account, 'pending')
  }

  /** @param until - `pending` includes transactions in the mempool. */
  async transactionCount(account: string, until: 'latest' | 'pending'): Promise<number | null> {
    const count = await this.number('eth_getTransactionCount', account, until)
    return count === null ? null : Number(count)
  }

  /** The amount missing for a call's network fee; 0 when it suffices or is unknown. */
  async missingFee(from: string, to: string, data: string): Promise<bigint> {
    const [gas, price, balance] = await Promise.all([
      this.number('eth_estimateGas', { from, to, data }),
      this.number('eth_gasPrice'),
      this.number('eth_getBalance', from, 'latest'),
    ])
    if (gas === null || price === null || balance === null) return 0n
    const fee = (gas * price * (100n + feeMarginPercent)) / 100n
    return balance < fee ? fee - balance : 0n
  }

  /** The node's reason why a call would revert; null when it would succeed or is unknown. */
  async refusalOf(from: string, to: string, data: string): Promise<string | null> {
    try {
      await this.ask('eth_call', { from, to, data }, 'latest')
      return null
    } catch (error) {
      const message = describe(error)
      return codeOf(error) === 3 || /revert/i.test(message) ? message : null
    }
  }

  async atomic(account: string, chainId: number): Promise<Atomic> {
    const id = toHex(chainId)
    const answer = (await this.orNull('wallet_getCapabilities', account, [id])) as Capabilities | null
    const atomic = answer?.[id]?.atomic ?? answer?.['0x0']?.atomic
    // Before the standard was final, wallets returned `supported: true`, or the status in that field.
    const status = atomic?.status ?? atomic?.supported
    if (status === 'ready') return status
    return status === 'supported' || status === true ? 'supported' : 'unsupported'
  }

  send(from: string, { chain }: Order, to: string, data: string, nonce: number | null): Promise<unknown> {
    const transaction = { from, to, data, value: '0x0', chainId: toHex(chain.id) }
    return this.ask('eth_sendTransaction', nonce === null ? transaction : { ...transaction, nonce: toHex(nonce) })
  }

  async sendBatch(from: string, { chain }: Order, calls: { to: string; data: string }[]): Promise<string> {
    const batch = { version: '2.0.0', from, chainId: toHex(chain.id), atomicRequired: true }
    const all = calls.map(({ to, data }) => ({ to, data, value: '0x0' }))
    const answer = await this.ask('wallet_sendCalls', { ...batch, calls: all })
    const id = typeof answer === 'string' ? answer : (answer as { id?: unknown } | null)?.id
    if (typeof id !== 'string') throw new TypeError('The wallet returned no batch id.')
    return id
  }

  async statusOf(hash: string): Promise<TransactionStatus> {
    try {
      const receipt = (await this.ask('eth_getTransactionReceipt', hash)) as { status?: unknown } | null
      if (receipt) return receipt.status === '0x0' ? 'reverted' : 'done'
      return (await this.ask('eth_getTransactionByHash', hash)) ? 'pending' : 'gone'
    } catch {
      return 'unknown'
    }
  }

  /** A batch's state, and the hash of its last transaction once known. `isGivenUp`: no block has it, and the wallet will not send it. */
  async batchStatusOf(id: string): Promise<{ status: TransactionStatus; hash: string; isGivenUp: boolean }> {
    const answer = (await this.orNull('wallet_getCallsStatus', id)) as Json | null
    const receipts = (Array.isArray(answer?.['receipts']) ? answer['receipts'] : []) as { transactionHash?: unknown }[]
    const hash = String(receipts.at(-1)?.transactionHash ?? '')
    const code = Number(answer?.['status']) || 0
    if (code >= 400) return { status: 'reverted', hash, isGivenUp: code < 500 && hash === '' }
    return { status: code >= 200 ? 'done' : code >= 100 ? 'pending' : 'unknown', hash, isGivenUp: false }
  }

  private async number(method: string, ...params: unknown[]): Promise<bigint | null> {
    try {
      return fromHex(await this.ask(method, ...params))
    } catch {
      return null
    }
  }

  private orNull(method: string, ...params: unknown[]): Promise<unknown> {
    return this.ask(method, ...params).catch(() => null)
  }
}

function firstOf(accounts: unknown): string {
  const [account] = Array.isArray(accounts) ? accounts : []
  return typeof account === 'string' ? account : ''
}

/** All text of an error, because each wallet stores a node's error in another field. */
function describe(error: unknown): string {
  const { message, data } = (error ?? {}) as { message?: unknown; data?: unknown }
  return `${String(message)} ${JSON.stringify(data ?? null)}`
}
