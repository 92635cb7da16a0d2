import { formatCoin, formatUnits } from '../units.ts'
import type { Stop } from '../wallet-state.ts'
import { encodeCall, signatureWords } from './call-data.ts'
import { type PromptWhile, reachChain, stopFor } from './connect-wallet.ts'
import type { ContractOrder } from './evm-order.ts'
import type { Job } from './pay-job.ts'
import { permitTypedData } from './permit.ts'
import { type Atomic, needsReset, type PlannedPrompt, planPrompts } from './prompt-plan.ts'
import { canAuthorize, signAuthorization } from './sign-authorization.ts'
import { splitterRefusal } from './split-call.ts'
import { tokenFault } from './token-check.ts'
import { waitForAllowance } from './wait-for-allowance.ts'
import { cannotBatch, isCertainlyUnsent } from './wallet-errors.ts'

/**
 * Maximum prompts in one run, including fallbacks and repeats. Bounds the repeats to a wallet that grants less than
 * requested.
 */
const turnsMax = 12

/** Time left in the window at the last prompt: a transaction takes a block or two. */
const lastAskMs = 20_000

/**
 * Prompts the wallet step by step, until the payment is sent.
 * @returns null when sent, else the reason why not.
 */
export async function pay(job: Job): Promise<Stop | null> {
  const run = new Run(job)
  for (let turn = 0; turn < turnsMax; turn++) {
    const result = await run.turn().catch(stopFor)
    if (result !== 'again') return result === 'sent' ? null : result
  }
  return { why: 'failed', message: '' }
}

type Turn = 'again' | 'sent' | Stop

class Run {
  private readonly job: Job
  private account: string
  private signature = ''
  private done = 0
  private atomic: Atomic | null = null
  /** Used if the wallet cannot read the allowance. */
  private granted: bigint | null = null
  private isTokenSure = false

  constructor(job: Job) {
    this.job = job
    this.account = job.account
  }

  /** Reads balance and allowance, and asks for the next step. */
  async turn(): Promise<Turn> {
    const { client, order, promptWhile, show, isDropped, leftMs, verifyShown } = this.job
    show({ at: 'working', on: 'reading' })
    const account = await client.account()
    if (!account) return { why: 'locked' }
    // The customer has changed the account: signatures and approvals belonged to the other one.
    if (account.toLowerCase() !== this.account.toLowerCase())
      Object.assign(this, { signature: '', granted: null, atomic: null })
    this.account = account
    const stop =
      (await reachChain(client, order.chain, promptWhile('pay', 1, 1))) ??
      (await this.doubt()) ??
      (await this.lacking())
    if (stop) return stop
    const prompts = await this.plan()
    const [next = 'pay'] = prompts
    const call = next === 'sign' || next === 'batch' || next === 'authorize' ? null : this.callOf(next)
    const refusal = call && (await this.refusal(next, call))
    if (refusal) return refusal
    if (leftMs() < lastAskMs) return { why: 'late' }
    if (isDropped()) return { why: 'rejected' }
    verifyShown()
    return this.perform(next, promptWhile(next, this.done + 1, this.done + prompts.length))
  }

  private async doubt(): Promise<Stop | null> {
    const message = this.isTokenSure ? null : await tokenFault(this.job.client, this.job.order.token)
    this.isTokenSure = message === null
    return message === null ? null : { why: 'service', message }
  }

  private async lacking(): Promise<Stop | null> {
    const { client, order } = this.job
    const balance = await client.balance(order.token.address, this.account)
    if (balance === null || balance >= order.amount) return null
    return { why: 'balance', missing: formatUnits(order.amount - balance, order.token.decimals), account: this.account }
  }

  private async plan(): Promise<PlannedPrompt[]> {
    const { client, order, unable } = this.job
    const { type, amount } = order
    const allowance = type === 'contract' ? await client.allowance(order.token.address, this.account, order.to) : null
    if (type === 'contract') this.atomic ??= await client.atomic(this.account, order.chain.id)
    return planPrompts({
      type,
      amount,
      allowance: allowance ?? this.granted,
      atomic: unable.batch ? 'unsupported' : (this.atomic ?? 'unsupported'),
      hasAuthorization: !unable.authorize && (await canAuthorize(client, order, this.account)),
      hasPermit: type === 'contract' && order.permit !== null && !unable.sign,
      isSigned: this.signature !== '',
      requiresReset: type === 'contract' && order.requiresReset,
    })
  }

  private callOf(prompt: PlannedPrompt): { to: string; data: string } {
    const { order } = this.job
    if (prompt === 'approve' || prompt === 'reset')
      return { to: order.token.address, data: encodeCall('approve', order.to, prompt === 'reset' ? 0n : order.amount) }
    if (prompt !== 'payWithPermit' || order.type === 'transfer' || !order.permit) return order
    const { data, signatureOffset } = order.permit
    return {
      to: order.to,
      data: data.slice(0, signatureOffset) + this.signature + data.slice(signatureOffset + this.signature.length),
    }
  }

  /** A call that would revert is not shown to the customer. */
  private async refusal(prompt: PlannedPrompt, { to, data }: { to: string; data: string }): Promise<Turn | null> {
    const { client, order, unable, isFeeIgnored } = this.job
    if (prompt !== 'approve' && prompt !== 'reset') {
      const message = await client.refusalOf(this.account, to, data)
      const known = message && splitterRefusal(message)
      if (known) return { why: known }
      if (message && prompt === 'payWithPermit') {
        // The token rejects this account's signature, as with some smart accounts; an approval works instead.
        unable.sign = true
        this.signature = ''
        return 'again'
      }
      if (message) return { why: 'refused', message }
    }
    const missing = isFeeIgnored || !order.chain.hasCoin ? 0n : await client.missingFee(this.account, to, data)
    if (missing === 0n) return null
    const { symbol, decimals } = order.chain.coin
    const exact = formatUnits(missing, decimals)
    return { why: 'fee', missing: formatCoin(missing, decimals), exact, coin: symbol, account: this.account }
  }

  private async perform(prompt: PlannedPrompt, promptWhile: PromptWhile): Promise<Turn> {
    const { order } = this.job
    if (prompt === 'authorize') return this.authorize(promptWhile)
    if (prompt === 'transfer' || order.type === 'transfer') return this.send('transfer', promptWhile)
    switch (prompt) {
      case 'sign':
        return this.sign(order, promptWhile)
      case 'batch':
        return this.sendBatch(order, promptWhile)
      case 'reset':
      case 'approve':
        return this.approve(prompt, promptWhile)
      case 'payWithPermit':
      case 'pay':
        return this.send(prompt, promptWhile)
      default:
        return prompt satisfies never
    }
  }

  /** One signature pays. If it fails, the other prompts remain. */
  private async authorize(promptWhile: PromptWhile): Promise<Turn> {
    const { client, order, unable, show, submit, keep, isDropped, verifyShown } = this.job
    const signed = await signAuthorization(client, order, this.account, promptWhile)
    if (signed && 'why' in signed) return signed
    // A signature that comes after the customer has left, or after the money, is discarded: nothing was sent.
    if (isDropped()) return { why: 'rejected' }
    verifyShown()
    unable.authorize = true
    if (!signed) return 'again'
    show({ at: 'working', on: 'submitting' })
    await this.keepAsked(true)
    const submitted = await submit(signed)
    if (submitted.state === 'sent') keep({ hash: submitted.hash })
    if (submitted.state === 'refused') this.job.keep(null)
    return submitted.state === 'refused' ? 'again' : 'sent'
  }

  private async sign({ token, permit }: ContractOrder, promptWhile: PromptWhile): Promise<Turn> {
    const { client, unable } = this.job
    const nonce = await client.permitNonce(token.address, this.account)
    try {
      if (!permit || nonce === null) throw new RangeError('The token has no permit.')
      const typedData = JSON.stringify(permitTypedData(permit.permit, this.account, nonce))
      const signature = await promptWhile('sign', () => client.ask('eth_signTypedData_v4', this.account, typedData))
      this.signature = signatureWords(signature) ?? ''
      this.done++
    } catch (error) {
      const stop = stopFor(error)
      if (stop.why === 'rejected' || stop.why === 'busy') return stop
    }
    unable.sign = this.signature === ''
    return 'again'
  }

  private async approve(prompt: 'approve' | 'reset', promptWhile: PromptWhile): Promise<Turn> {
    const { client, order, show, isDropped, leftMs } = this.job
    const { to, data } = this.callOf(prompt)
    const hash = String(await promptWhile(prompt, () => client.send(this.account, order, to, data, null)))
    show({ at: 'working', on: prompt })
    const wanted = prompt === 'reset' ? 0n : order.amount
    const isOver = () => isDropped() || leftMs() < lastAskMs
    const stop = await waitForAllowance(client, {
      token: order.token.address,
      owner: this.account,
      spender: order.to,
      wanted,
      hash,
      isOver,
    })
    // If the allowance cannot be read, the receipt is trusted.
    if (!stop) this.granted = wanted
    this.done++
    return stop ?? 'again'
  }

  private async sendBatch(order: ContractOrder, promptWhile: PromptWhile): Promise<Turn> {
    const { client, unable } = this.job
    const allowance = (await client.allowance(order.token.address, this.account, order.to)) ?? 0n
    const calls = [this.callOf('approve'), { to: order.to, data: order.data }]
    if (needsReset(allowance, order.requiresReset)) calls.unshift(this.callOf('reset'))
    await this.keepAsked()
    try {
      const batchId = await promptWhile('batch', () =>
        this.noting('batchId', client.sendBatch(this.account, order, calls)),
      )
      return batchId ? 'sent' : 'again'
    } catch (error) {
      if (cannotBatch(error)) {
        this.job.keep(null)
        unable.batch = true
        return 'again'
      }
      return this.leave(error)
    }
  }

  private async send(prompt: 'pay' | 'payWithPermit' | 'transfer', promptWhile: PromptWhile): Promise<Turn> {
    const { client, order } = this.job
    const { to, data } = this.callOf(prompt)
    const expected = await this.keepAsked()
    // Two transfers with one nonce can never both be included. The splitter needs no such protection.
    const nonce = prompt === 'transfer' ? expected : null
    try {
      await promptWhile(prompt, () => this.noting('hash', client.send(this.account, order, to, data, nonce)))
      return 'sent'
    } catch (error) {
      return this.leave(error)
    }
  }

  /** @returns the transaction's nonce, null when unknown. */
  private async keepAsked(isSigned = false): Promise<number | null> {
    const { client, order, keep } = this.job
    const [next, balance] = await Promise.all([
      client.nextNonce(this.account),
      client.balance(order.token.address, this.account),
    ])
    // The service's transactions use its own account's nonces.
    const nonce = isSigned ? null : (this.job.nonce ?? next)
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

  /** Recorded even when nobody waits for the answer any more: the money is on its way. */
  private async noting(name: 'hash' | 'batchId', request: Promise<unknown>): Promise<string> {
    const id = String(await request)
    this.job.keep({ [name]: id })
    return id
  }

  /** The record after a failed send: none, or one of unknown outcome. */
  private leave(error: unknown): Stop {
    const stop = stopFor(error)
    const isUnsent = isCertainlyUnsent(error)
    if (isUnsent) this.job.keep(null)
    return isUnsent || stop.why === 'busy' ? stop : { why: 'unsure' }
  }
}
