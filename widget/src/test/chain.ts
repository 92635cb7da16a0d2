import { permit2Address } from '../wallet/evm/authorization.ts'
import { payCall, permit, splitter, token } from './contract.ts'

export type Transaction = { from: string; to: string; data: string; nonce?: string }
type Mined = Transaction & { hash: string; status: '0x0' | '0x1' | null }

/** A JSON-RPC error of a node or a wallet. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const revert = (words: string) => new RpcError(3, `execution reverted: ${words}`)

/** One token, one splitter, one payment of 25.00: balances, allowances, nonces and transactions as on a chain. */
export class EmulatedChain {
  readonly balances = new Map<string, bigint>()
  readonly allowances = new Map<string, bigint>()
  readonly transactions: Mined[] = []
  /** How often the merchant was paid. */
  paid = 0
  received = 0n
  coins = 10n ** 18n
  /** While false, new transactions wait for `mine`. */
  isMining = true
  private sent = 0
  /** Like Ethereum's USDT: an allowance must be 0 before it changes. */
  wantsReset = false
  /** The valid signature of the customer's key, and its owner. */
  signed = ''
  /** Rejects every signature, like tokens that do not support smart accounts. */
  refusesPermits = false
  tokenDecimals = 6n
  /** The customer's Permit2 allowance. */
  permit2Allowance = 0n
  /** The splitter's hash of the terms. */
  termsHash = `0x${'7e'.repeat(32)}`
  /** ABI-encoded string: offset, length and text. */
  tokenSymbol = `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'55534443'.padEnd(64, '0')}`
  /** The splitter call that pays. */
  payCall = payCall
  onPaid: (hash: string) => void = () => {}
  readonly deposit: string

  constructor(deposit: string) {
    this.deposit = deposit
  }

  send(from: string, { to, data, nonce }: Transaction): string {
    const used = this.transactions.filter((one) => one.from === from && one.status !== null).length
    // Replaces a pending transaction with the same nonce.
    const own = nonce === undefined ? this.nextNonce(from, true) : Number(BigInt(nonce))
    if (own < used) throw new RpcError(-32000, 'nonce too low')
    const hash = `0x${(++this.sent).toString(16).padStart(64, '0')}`
    this.transactions.push({ from, to, data, nonce: `0x${own.toString(16)}`, hash, status: null })
    if (this.isMining) this.mine()
    return hash
  }

  mine(): void {
    for (const one of this.transactions.filter(({ status }) => status === null)) {
      try {
        this.execute(one)
        one.status = '0x1'
      } catch {
        one.status = '0x0'
      }
      if (one.status === '0x1' && one.data !== '0x' && !one.data.startsWith('0x095ea7b3')) this.onPaid(one.hash)
    }
  }

  /** The node drops pending transactions. */
  drop(): void {
    const kept = this.transactions.filter(({ status }) => status !== null)
    this.transactions.splice(0, this.transactions.length, ...kept)
  }

  nextNonce(from: string, isPending: boolean): number {
    return this.transactions.filter((one) => one.from === from && (isPending || one.status !== null)).length
  }

  /** The service's operator sends the customer's signature and pays the fee. */
  relay(from: string): string {
    this.take(from, 25_000_000n)
    const hash = `0x${'5e'.repeat(32)}`
    this.transactions.push({ from: 'operator', to: token, data: '0x', hash, status: '0x1' })
    this.onPaid(hash)
    return hash
  }

  /** Read methods of a node. */
  answer(method: string, params: unknown[]): unknown {
    const [first, second] = params
    const hex = (value: bigint | number) => `0x${value.toString(16)}`
    switch (method) {
      case 'eth_call':
        return this.call(first as Transaction)
      case 'eth_estimateGas':
        this.clone().execute(first as Transaction)
        return hex(100_000)
      case 'eth_gasPrice':
        return hex(10n ** 9n)
      case 'eth_getBalance':
        return hex(this.coins)
      case 'eth_getCode':
        return '0x'
      case 'eth_getTransactionCount':
        return hex(this.nextNonce(String(first), second === 'pending'))
      case 'eth_getTransactionByHash':
        return this.transactions.find(({ hash }) => hash === first) ?? null
      case 'eth_getTransactionReceipt':
        return this.transactions.find(({ hash, status }) => hash === first && status !== null) ?? null
      default:
        throw new RpcError(-32601, `${method} is not a method`)
    }
  }

  /**
   * Executes a call.
   * @throws {RpcError} where the contract would revert.
   */
  execute({ from, to, data }: Transaction): void {
    const amount = 25_000_000n
    const lastWord = BigInt(`0x${data.slice(-64)}`)
    if (data === '0x') return
    if (to === token && data.startsWith('0x095ea7b3')) {
      if (this.wantsReset && lastWord > 0n && this.allowance(from) > 0n) throw revert('approve from non-zero')
      this.allowances.set(from, lastWord)
    } else if (to === token && data.startsWith('0xa9059cbb')) {
      if (!data.slice(0, 74).endsWith(this.deposit.slice(2).toLowerCase())) throw revert('another recipient')
      this.take(from, lastWord)
    } else if (to === splitter && data === this.payCall) {
      this.pay(from, amount)
    } else if (to === splitter && data === this.permitted()) {
      if (!this.refusesPermits) this.allowances.set(from, amount)
      this.pay(from, amount)
    } else throw revert('unknown call')
  }

  balance(owner: string): bigint {
    return this.balances.get(owner) ?? 0n
  }

  allowance(owner: string): bigint {
    return this.allowances.get(owner) ?? 0n
  }

  private call({ from, to, data }: Transaction): string {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    const owner = `0x${data.slice(34, 74)}`
    if (data.startsWith('0x70a08231')) return word(this.balance(owner))
    if (data.startsWith('0xdd62ed3e')) {
      const isPermit2 = data.endsWith(permit2Address.slice(2).toLowerCase())
      return word(isPermit2 ? this.permit2Allowance : this.allowance(owner))
    }
    if (data.startsWith('0x7ecebe00')) return word(7n)
    if (data.startsWith('0x313ce567')) return word(this.tokenDecimals)
    if (data.startsWith('0x95d89b41')) return this.tokenSymbol
    if (to === splitter && data.startsWith('0xf8886c71')) return this.termsHash
    this.clone().execute({ from, to, data })
    return '0x'
  }

  /** The permit call with the signature's words inserted. */
  private permitted(): string {
    const [, r, s, v] = /^0x(.{64})(.{64})(.{2})$/.exec(this.signed) ?? []
    const at = permit.signatureOffset
    return `${permit.data.slice(0, at)}${(v ?? '').padStart(64, '0')}${r}${s}${permit.data.slice(at + 192)}`
  }

  private pay(from: string, amount: bigint): void {
    if (this.paid > 0) throw new RpcError(3, 'execution reverted', { data: `0xcf4cf60d${'0'.repeat(64)}` })
    if (this.allowance(from) < amount) throw revert('allowance')
    this.take(from, amount)
    this.allowances.set(from, this.allowance(from) - amount)
  }

  private take(from: string, amount: bigint): void {
    if (this.balance(from) < amount) throw revert('balance')
    this.balances.set(from, this.balance(from) - amount)
    this.received += amount
    this.paid++
  }

  private clone(): EmulatedChain {
    const clone = new EmulatedChain(this.deposit)
    const { paid, wantsReset, signed, refusesPermits, payCall } = this
    Object.assign(clone, { paid, wantsReset, signed, refusesPermits, payCall })
    for (const [owner, amount] of this.balances) clone.balances.set(owner, amount)
    for (const [owner, amount] of this.allowances) clone.allowances.set(owner, amount)
    return clone
  }
}
