import { encodeCall, signatureWords } from './calldata.ts'
import { type Asking, reachChain, stopFor } from './connect.ts'
import type { ContractOrder, Order } from './order.ts'
import { pace, sleep } from './pace.ts'
import { permitTypedData } from './permit.ts'
import { type Ask, type Atomic, needsReset, planPrompts } from './plan.ts'
import { cannotBatch, isCertainlyUnsent } from './provider.ts'
import type { Sending } from './record.ts'
import type { Screen, Stop } from './screen.ts'
import { splitterRefusal } from './split-call.ts'
import { tokenFault } from './token-check.ts'
import { formatCoin, formatUnits } from './units.ts'
import type { WalletClient } from './wallet-client.ts'

/** Prompts in one run, fallbacks and repeats included. A wallet that grants less than was asked is asked again only so often. */
const turnsMax = 12

/** Left of the window when the wallet is asked for the last time: a transaction takes a block or two. */
const lastAskMs = 20_000

/** What this wallet was found unable to do; it is not tried again. */
export type Unable = { batch: boolean; sign: boolean }

/** Everything that one run needs of the outside. */
export type Job = {
  client: WalletClient
  order: Order
  account: string
  unable: Unable
  /** The nonce that a repeated transfer must have, so that it can only take the place of the first; null for any. */
  nonce: number | null
  isFeeIgnored: boolean
  asking: (ask: Ask, number: number, total: number) => Asking
  show: (screen: Screen) => void
  /** Another run has taken over: nothing more may be asked. */
  isDropped: () => boolean
  leftMs: () => number
  /** Kept before the wallet is asked, and again with what it answered; null when nothing was sent. */
  keep: (sending: Partial<Sending> | null) => void
}

/** Asks the wallet, prompt by prompt, until the payment is sent. @returns null then, else why it is not. */
export async function pay(job: Job): Promise<Stop | null> {
  const run = new Run(job)
  for (let turn = 0; turn < turnsMax; turn++) {
    const result = await run.turn().catch(stopFor)
    if (result !== 'again') return result === 'sent' ? null : result
  }
  return { why: 'failed', words: '' }
}

type Turn = 'again' | 'sent' | Stop

class Run {
  private readonly job: Job
  private account: string
  private signature = ''
  private done = 0
  private atomic: Atomic | null = null
  /** Stands in for the allowance where the wallet cannot read it. */
  private granted: bigint | null = null
  private isTokenSure = false

  constructor(job: Job) {
    this.job = job
    this.account = job.account
  }

  /** Looks where things stand and asks for what comes next. */
  async turn(): Promise<Turn> {
    const { client, order, asking, show, isDropped, leftMs } = this.job
    show({ at: 'working', on: 'reading' })
    const account = await client.account()
    if (!account) return { why: 'locked' }
    // The customer has changed the account: what was signed and granted was the other's.
    if (account.toLowerCase() !== this.account.toLowerCase())
      Object.assign(this, { signature: '', granted: null, atomic: null })
    this.account = account
    const stop =
      (await reachChain(client, order.chain, asking('pay', 1, 1))) ?? (await this.doubt()) ?? (await this.lacking())
    if (stop) return stop
    const prompts = await this.plan()
    const [next = 'pay'] = prompts
    const call = next === 'sign' || next === 'batch' ? null : this.callOf(next)
    const refusal = call && (await this.refusal(next, call))
    if (refusal) return refusal
    if (leftMs() < lastAskMs) return { why: 'late' }
    if (isDropped()) return { why: 'rejected' }
    return this.perform(next, asking(next, this.done + 1, this.done + prompts.length))
  }

  private async doubt(): Promise<Stop | null> {
    const words = this.isTokenSure ? null : await tokenFault(this.job.client, this.job.order.token)
    this.isTokenSure = words === null
    return words === null ? null : { why: 'service', words }
  }

  private async lacking(): Promise<Stop | null> {
    const { client, order } = this.job
    const balance = await client.balance(order.token.address, this.account)
    if (balance === null || balance >= order.amount) return null
    return { why: 'balance', missing: formatUnits(order.amount - balance, order.token.decimals), account: this.account }
  }

  private async plan(): Promise<Ask[]> {
    const { client, order, unable } = this.job
    const { type, amount } = order
    const allowance = type === 'contract' ? await client.allowance(order.token.address, this.account, order.to) : null
    if (type === 'contract') this.atomic ??= await client.atomic(this.account, order.chain.id)
    return planPrompts({
      type,
      amount,
      allowance: allowance ?? this.granted,
      atomic: unable.batch ? 'unsupported' : (this.atomic ?? 'unsupported'),
      hasPermit: type === 'contract' && order.permit !== null && !unable.sign,
      isSigned: this.signature !== '',
      requiresReset: type === 'contract' && order.requiresReset,
    })
  }

  private callOf(ask: Ask): { to: string; data: string } {
    const { order } = this.job
    if (ask === 'approve' || ask === 'reset')
      return { to: order.token.address, data: encodeCall('approve', order.to, ask === 'reset' ? 0n : order.amount) }
    if (ask !== 'bring' || order.type === 'transfer' || !order.permit) return order
    const { data, signatureOffset } = order.permit
    return {
      to: order.to,
      data: data.slice(0, signatureOffset) + this.signature + data.slice(signatureOffset + this.signature.length),
    }
  }

  /** What the chain would refuse is not put before the customer. */
  private async refusal(ask: Ask, { to, data }: { to: string; data: string }): Promise<Turn | null> {
    const { client, order, unable, isFeeIgnored } = this.job
    if (ask !== 'approve' && ask !== 'reset') {
      const words = await client.refusalOf(this.account, to, data)
      const known = words && splitterRefusal(words)
      if (known) return { why: known }
      if (words && ask === 'bring') {
        // The token does not take this account's signature, as with some smart accounts; an approval does the same.
        unable.sign = true
        this.signature = ''
        return 'again'
      }
      if (words) return { why: 'refused', words }
    }
    const missing = isFeeIgnored ? 0n : await client.missingFee(this.account, to, data)
    if (missing === 0n) return null
    const { symbol, decimals } = order.chain.coin
    return { why: 'fee', missing: formatCoin(missing, decimals), coin: symbol, account: this.account }
  }

  private async perform(ask: Ask, asking: Asking): Promise<Turn> {
    const { order } = this.job
    if (ask === 'transfer' || order.type === 'transfer') return this.send('transfer', asking)
    switch (ask) {
      case 'sign':
        return this.sign(order, asking)
      case 'batch':
        return this.sendBatch(order, asking)
      case 'reset':
      case 'approve':
        return this.approve(ask, asking)
      case 'bring':
      case 'pay':
        return this.send(ask, asking)
      default:
        return ask satisfies never
    }
  }

  private async sign({ token, permit }: ContractOrder, asking: Asking): Promise<Turn> {
    const { client, unable } = this.job
    const nonce = await client.permitNonce(token.address, this.account)
    try {
      if (!permit || nonce === null) throw new RangeError('The token has no permit.')
      const typedData = JSON.stringify(permitTypedData(permit.permit, this.account, nonce))
      const signature = await asking('sign', () => client.ask('eth_signTypedData_v4', this.account, typedData))
      this.signature = signatureWords(signature) ?? ''
      this.done++
    } catch (error) {
      const stop = stopFor(error)
      if (stop.why === 'rejected' || stop.why === 'busy') return stop
    }
    unable.sign = this.signature === ''
    return 'again'
  }

  private async approve(ask: 'approve' | 'reset', asking: Asking): Promise<Turn> {
    const { client, order, show } = this.job
    const { to, data } = this.callOf(ask)
    const hash = String(await asking(ask, () => client.send(this.account, order, to, data, null)))
    show({ at: 'working', on: ask })
    this.done++
    return (await this.waitForAllowance(ask === 'reset' ? 0n : order.amount, hash)) ?? 'again'
  }

  /** Waits for what the token says, not only for the hash: a wallet may speed a transaction up under another one. */
  private async waitForAllowance(wanted: bigint, hash: string): Promise<Stop | null> {
    const { client, order, isDropped, leftMs } = this.job
    let goneAtMs = 0
    for (;;) {
      const allowance = await client.allowance(order.token.address, this.account, order.to)
      if (allowance !== null && (wanted === 0n ? allowance === 0n : allowance >= wanted)) return null
      const fate = await client.fateOf(hash)
      if (fate === 'reverted') return { why: 'reverted' }
      if (fate === 'done') {
        // A wallet may have granted less than was asked; the next turn sees it. Where nobody can read it, it is believed.
        await sleep(pace.lookMs)
        this.granted = wanted
        return null
      }
      goneAtMs = fate === 'gone' ? goneAtMs || performance.now() : 0
      if (goneAtMs && performance.now() - goneAtMs > pace.goneMs) return { why: 'gone' }
      if (isDropped() || leftMs() < lastAskMs) return { why: 'late' }
      await sleep(pace.lookMs)
    }
  }

  private async sendBatch(order: ContractOrder, asking: Asking): Promise<Turn> {
    const { client, unable } = this.job
    const allowance = (await client.allowance(order.token.address, this.account, order.to)) ?? 0n
    const calls = [this.callOf('approve'), { to: order.to, data: order.data }]
    if (needsReset(allowance, order.requiresReset)) calls.unshift(this.callOf('reset'))
    await this.keepAsked()
    try {
      const batchId = await asking('batch', () => this.noting('batchId', client.sendBatch(this.account, order, calls)))
      return batchId ? 'sent' : 'again'
    } catch (error) {
      if (cannotBatch(error)) {
        this.forget()
        unable.batch = true
        return 'again'
      }
      return this.leave(error)
    }
  }

  private async send(ask: 'pay' | 'bring' | 'transfer', asking: Asking): Promise<Turn> {
    const { client, order } = this.job
    const { to, data } = this.callOf(ask)
    const expected = await this.keepAsked()
    // Two transfers with one nonce can never both arrive. The splitter needs no such care.
    const nonce = ask === 'transfer' ? expected : null
    try {
      await asking(ask, () => this.noting('hash', client.send(this.account, order, to, data, nonce)))
      return 'sent'
    } catch (error) {
      return this.leave(error)
    }
  }

  /** @returns the nonce that the transaction will have, null when unknown. */
  private async keepAsked(): Promise<number | null> {
    const { client, order, keep } = this.job
    const [next, balance] = await Promise.all([
      client.nextNonce(this.account),
      client.balance(order.token.address, this.account),
    ])
    const nonce = this.job.nonce ?? next
    const token = order.token.address
    keep({
      account: this.account,
      type: order.type,
      hash: '',
      batchId: '',
      nonce,
      token,
      balance: String(balance ?? 0n),
    })
    return nonce
  }

  /** Noted even when nobody waits for the answer any more: the money is on its way all the same. */
  private async noting(name: 'hash' | 'batchId', request: Promise<unknown>): Promise<string> {
    const id = String(await request)
    this.job.keep({ [name]: id })
    return id
  }

  /** What a failed request to send leaves behind: nothing, or the doubt whether it was sent. */
  private leave(error: unknown): Stop {
    const stop = stopFor(error)
    const isUnsent = isCertainlyUnsent(error)
    if (isUnsent) this.forget()
    return isUnsent || stop.why === 'busy' ? stop : { why: 'unsure' }
  }

  private forget(): void {
    if (!this.job.isDropped()) this.job.keep(null)
  }
}
