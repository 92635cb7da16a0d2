import { sleep, timing } from '../../timing.ts'

/** A transaction as Tron wallets build it: the contracts' fields, and their bytes. */
export type TronTransaction = {
  txID?: unknown
  raw_data?: {
    contract?: { type?: unknown; parameter?: { value?: Record<string, unknown> } }[]
    fee_limit?: unknown
  }
}

type Parameter = { type: string; value: string }
type Options = { feeLimit?: number; callValue?: number }

/** The part of TronWeb that wallets expose to pages. */
type TronWeb = {
  transactionBuilder: {
    triggerSmartContract(
      contract: string,
      signature: string,
      options: Options,
      parameters: Parameter[],
      from: string,
    ): Promise<{ transaction?: TronTransaction }>
    triggerConstantContract(
      contract: string,
      signature: string,
      options: Options,
      parameters: Parameter[],
      from: string,
    ): Promise<{ constant_result?: unknown[] }>
  }
  trx: {
    getBlockByNumber(number: number): Promise<{ blockID?: unknown }>
    sign(transaction: TronTransaction): Promise<TronTransaction>
    sendRawTransaction(signed: TronTransaction): Promise<{ result?: unknown; code?: unknown; message?: unknown }>
  }
}

/** @see https://github.com/tronprotocol/tips/blob/master/tip-1193.md */
type Provider = {
  isTronLink?: unknown
  tronWeb?: TronWeb | false
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** A Tron wallet in this browser. */
export type TronWallet = { id: string; name: string; icon: string; provider: Provider }

/** Tron wallets share one property of the page, which they set before the page's scripts run. */
export class TronWalletFinder {
  ask(): void {}

  get wallets(): TronWallet[] {
    const { tron } = window as { tron?: Provider }
    if (typeof tron?.request !== 'function') return []
    return [{ id: 'tron', name: tron.isTronLink ? 'TronLink' : '', icon: '', provider: tron }]
  }
}

/** The wallet calls of a payment. Each comment says whether the call prompts the customer. */
export class TronWalletClient {
  private readonly provider: Provider

  constructor({ provider }: TronWallet) {
    this.provider = provider
  }

  /** Prompts the customer if the page is not connected yet. @returns the account; empty if there is none. */
  async connect(): Promise<string> {
    const accounts = await this.provider.request({ method: 'eth_requestAccounts' })
    const [account] = Array.isArray(accounts) ? accounts : []
    return typeof account === 'string' ? account : ''
  }

  /** The wallet's chain: the last four bytes of the id of its first block. */
  async chainId(): Promise<number> {
    const { blockID } = await this.web.trx.getBlockByNumber(0)
    return Number.parseInt(String(blockID).slice(-8), 16)
  }

  /**
   * Prompts the customer. @returns whether the wallet is on the chain afterwards. @see
   * https://github.com/tronprotocol/tips/blob/master/tip-3326.md
   */
  async switchTo(chainId: number): Promise<boolean> {
    const params = [{ chainId: `0x${chainId.toString(16)}` }]
    await this.provider.request({ method: 'wallet_switchEthereumChain', params })
    const endsAtMs = performance.now() + timing.switchMs
    while ((await this.chainId()) !== chainId) {
      if (performance.now() > endsAtMs) return false
      await sleep(timing.switchMs / 10)
    }
    return true
  }

  /** In base units; null if the node does not say. */
  async balance(token: string, account: string): Promise<bigint | null> {
    const parameters = [{ type: 'address', value: account }]
    const { transactionBuilder } = this.web
    try {
      const answer = await transactionBuilder.triggerConstantContract(
        token,
        'balanceOf(address)',
        {},
        parameters,
        account,
      )
      const [word] = answer.constant_result ?? []
      return /^[0-9a-f]{64}$/i.test(String(word)) ? BigInt(`0x${word}`) : null
    } catch {
      return null
    }
  }

  async build(token: string, to: string, amount: bigint, from: string, feeLimit: number): Promise<TronTransaction> {
    const parameters = [
      { type: 'address', value: to },
      { type: 'uint256', value: String(amount) },
    ]
    const options = { feeLimit, callValue: 0 }
    const { transactionBuilder } = this.web
    const built = await transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      options,
      parameters,
      from,
    )
    if (!built.transaction) throw new Error('The wallet built no transaction.')
    return built.transaction
  }

  /** Prompts the customer. Sends nothing yet. */
  sign(transaction: TronTransaction): Promise<TronTransaction> {
    return this.web.trx.sign(transaction)
  }

  /** @returns the node's refusal; empty if it accepted the transaction. After an error the node may still have it. */
  async send(signed: TronTransaction): Promise<string> {
    const { result, code, message } = await this.web.trx.sendRawTransaction(signed)
    if (result === true || code === 'DUP_TRANSACTION_ERROR') return ''
    return decodeHex(message) || String(code ?? 'The node refused the transaction.')
  }

  private get web(): TronWeb {
    const { tronWeb } = this.provider
    if (!tronWeb) throw new Error('The wallet is not connected.')
    return tronWeb
  }
}

/** Nodes write their messages in hex. */
function decodeHex(message: unknown): string {
  const text = typeof message === 'string' ? message : ''
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : null
  return bytes ? new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16))) : text
}
