import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Network, Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import { type BaseUnits, formatAmount, parseAmount } from '../../core/money.ts'
import { type NetworkHealth, verifyPayable } from '../../network/network-health.ts'
import { type BridgeView, newBridge } from '../../payment/bridge.ts'
import type { DepositPayment, Payment } from '../../payment/payment.ts'
import type { DraftDeposit } from '../deposit/deposit-draft.ts'
import { idempotencyScope } from '../idempotency-store.ts'
import type { MoneyFields } from '../money-fields.ts'
import type { CreatedPayment, NewPayment, PaymentMaker, PricedPayment, VerifyCallbackUrl } from '../payment-maker.ts'
import { askedPriceOf } from '../price.ts'
import type { PaymentViewer, PublicView } from '../read/payment-view.ts'
import { bridgeDestinations } from './bridge-destinations.ts'
import { errorOf } from './cross-chain-errors.ts'
import type { Bridges } from './relay.part.ts'
import { RelayRefusal } from './relay-faults.ts'
import type { RelaySettings } from './relay-settings.ts'
import type { Source } from './sources.ts'

const endpoint = 'payments/cross-chain/create'
const expiresInSecondsDefault = 1_800

/** Destinations tried per payment: each costs a quote, and the customer waits. */
const destinationsMax = 3

/** Maximum decimals of an amount before the destination's token is known: those of any stablecoin. */
const decimalsMost = 18

/** Relay's names of the most requested chains that are not EVM: known also while it is unavailable. */
const otherVirtualMachines: ReadonlySet<number> = new Set([792_703_809, 8_253_038, 101, 103])

export type NewCrossChain = Omit<NewPayment, 'network' | 'currency'> & {
  originChainId: number
  originCurrency: string
  /** Seconds. */
  expiresIn?: number | undefined
  /** The destination network; absent: the merchant's first network with a wallet that the bridge reaches. */
  network?: string | undefined
  currency?: string | undefined
}

const wholeBps = 10_000n

type Quoted = {
  payment: DepositPayment
  source: Source
  token: Source['tokens'][number]
  /** Base units of `token`. */
  amountToSend: bigint
}

type Deps = {
  draftDeposit: DraftDeposit
  maker: PaymentMaker
  bridges: Bridges | null
  networks: Networks
  health: NetworkHealth
  viewer: PaymentViewer
  log: Log
  verifyCallbackUrl: VerifyCallbackUrl
  limits: Pick<RateLimits, 'quoted'>
  /** Address that may refund a payment's excess; it can never take a covered payment's money. */
  operator: string | null
}

type CrossChainView = PublicView & BridgeView
type CreatedCrossChain = { success: true; requestId: string; payment: CrossChainView }

export type CreateCrossChainPayment = ReturnType<typeof createCrossChainPayments>

/** Creates a deposit that the relay pays with the customer's money from another chain. */
export function createCrossChainPayments(deps: Deps) {
  const { draftDeposit, maker, bridges, networks, health, viewer, log, operator, verifyCallbackUrl, limits } = deps
  /** Requests being answered, by key: a concurrent request waits, so that one payment costs one quote. */
  const underWay = new Map<string, Promise<unknown>>()

  /** @throws {PaymentError} with one of the contract's four codes, or a sentence that names the field and the rule. */
  return async function createCrossChain(
    caller: Caller,
    request: RequestInfo,
    body: NewCrossChain,
    key: IdempotencyKey | undefined,
  ): Promise<CreatedPayment<CreatedCrossChain>> {
    if (key === undefined) return await create(caller, request, body, key)
    const scope = [caller.kind, caller.address, idempotencyScope(caller, endpoint, key)].join(' ')
    for (let before = underWay.get(scope); before !== undefined; before = underWay.get(scope)) await before
    const created = create(caller, request, body, key)
    const settled = created.then(
      () => underWay.delete(scope),
      () => underWay.delete(scope),
    )
    underWay.set(scope, settled)
    return await created
  }

  async function create(
    caller: Caller,
    { requestId, origin }: RequestInfo,
    body: NewCrossChain,
    key: IdempotencyKey | undefined,
  ): Promise<CreatedPayment<CreatedCrossChain>> {
    verifyCallbackUrl(body.callbackUrl)
    const money = moneyOf(body)
    const replay = await maker.replay<CreatedCrossChain>({ caller, endpoint, key, body, money })
    if (replay !== undefined) return replay
    const { originChainId } = body
    if (otherVirtualMachines.has(originChainId)) {
      throw new PaymentError('ORIGIN_NOT_SUPPORTED', `Chain ${originChainId} is not an EVM chain.`)
    }
    if (caller.wallets.size === 0) {
      throw new PaymentError('NO_DESTINATION', 'No settlement wallet is configured.')
    }
    if (bridges === null) {
      throw new PaymentError('NO_ROUTE', 'This service has no bridge; create a deposit instead.')
    }
    if (caller.isTest) {
      throw new PaymentError('NO_ROUTE', 'Test keys have no bridge, because bridges move real money. Use a live key.')
    }
    const { source, token } = await bridges.sources.find(originChainId, body.originCurrency)
    if (body.amount !== undefined) verifyAmount(body.amount, bridges.settings)
    const places = await destinations(caller, body, token.symbol)
    let refusal: unknown
    for (const { network, currency } of places.slice(0, destinationsMax)) {
      const chosen = await maker.price({ ...body, network: network.shortName, currency })
      try {
        verifyAmount(chosen.amount, bridges.settings)
        const payment = await order(caller, chosen, network, { source, token })
        const verifyNew = (created: Payment) => verifyPayable(created.network, health)
        const request = { caller, endpoint, key, body: chosen, verifyNew, money }
        return await maker.store(request, payment, (created) => ({
          success: true as const,
          requestId,
          payment: viewer.public(created, origin) as CrossChainView,
        }))
      } catch (error) {
        // Another destination may have a route; other errors would repeat.
        if (!(error instanceof PaymentError) || error.code !== 'NO_ROUTE') throw error
        refusal ??= error
      }
    }
    throw refusal
  }

  /** The payment to be stored, with the relay's order for exactly it. */
  async function order(
    caller: Caller,
    body: PricedPayment & NewCrossChain,
    network: Network,
    origin: { source: Source; token: Source['tokens'][number] },
  ): Promise<DepositPayment> {
    if (operator === null || bridges === null) throw new Error('A bridge needs an operator, and none is configured')
    const ttlSeconds = body.expiresIn ?? expiresInSecondsDefault
    // An ordinary deposit, whose address the relay pays.
    const payment = draftDeposit(caller, body, ttlSeconds * 1000)
    const { source, token } = origin
    await limits.quoted(caller)
    try {
      const {
        requestId,
        depositAddress: relayDepositAddress,
        amountToSend,
      } = await bridges.relay.quote({
        originChainId: source.chainId,
        originToken: token.address,
        destinationChainId: network.chainId,
        destinationToken: payment.tokenAddress,
        amount: payment.due,
        recipient: payment.depositAddress,
        recoveryAddress: bridges.settings.recoveryAddress ?? operator,
        ttlSeconds,
      })
      verifyFee({ payment, source, token, amountToSend })
      payment.bridge = newBridge({
        requestId,
        relayDepositAddress,
        amountToSend: String(amountToSend),
        originChainId: source.chainId,
        originName: source.name,
        originExplorerUrl: source.explorerUrl,
        originCurrency: token.symbol,
        originToken: token.address,
        originDecimals: token.decimals,
      })
      return payment
    } catch (error) {
      if (error instanceof PaymentError) throw error
      if (!(error instanceof RelayRefusal))
        log.warn({ err: error, originChainId: source.chainId }, 'Getting a quote failed')
      throw errorOf(error, source.chainId)
    }
  }

  /**
   * Limits the amount that a customer is asked to send above the amount due: the relay keeps the difference. Both
   * tokens stand for the dollar.
   * @throws {PaymentError} NO_ROUTE.
   */
  function verifyFee({ payment, source, token, amountToSend }: Quoted): void {
    if (bridges === null) return
    const { maxFeeBps } = bridges.settings
    const asked = amountToSend * 10n ** BigInt(payment.tokenDecimals) * wholeBps
    const most = payment.due * 10n ** BigInt(token.decimals) * (wholeBps + BigInt(maxFeeBps))
    if (asked <= most) return
    const toSend = `${formatAmount(amountToSend as BaseUnits, token.decimals)} ${token.symbol}`
    const due = `${formatAmount(payment.due, payment.tokenDecimals)} ${payment.currency}`
    const fields = { originChainId: source.chainId, network: payment.network, toSend, due, maxFeeBps }
    log.warn(fields, 'The relay’s quote exceeds the amount due and relay.maxFeeBps; refused')
    const message = `The bridge asks for ${toSend} on chain ${source.chainId} to deliver ${due}, which is more than its fee may be (${Number(maxFeeBps) / 100} %). Pay from another chain, or directly.`
    throw new PaymentError('NO_ROUTE', message)
  }

  /**
   * Possible destinations, best first: the same token on each network where the merchant has a wallet, then others.
   * @throws {PaymentError} NO_DESTINATION, or NETWORK_UNAVAILABLE while none of them is payable.
   */
  async function destinations(caller: Caller, body: NewCrossChain, originSymbol: string) {
    const found: { network: Network; currency: string; isSame: boolean }[] = []
    const possible = [...networks.values()].filter(
      ({ shortName, chainId }) =>
        (body.network === undefined || shortName === body.network.toLowerCase()) &&
        caller.wallets.has(shortName) &&
        // On the destination's own chain a deposit is cheaper and needs no bridge.
        chainId !== body.originChainId,
    )
    for (const { network, token } of bridges ? await bridgeDestinations(possible, bridges.sources) : []) {
      const { symbol } = token
      if (body.currency !== undefined && symbol !== body.currency.toUpperCase()) continue
      found.push({ network, currency: symbol, isSame: symbol === originSymbol.toUpperCase() })
    }
    if (found.length === 0) {
      const wish = [body.currency && ` for ${body.currency}`, body.network && ` on ${body.network}`].join('')
      const message = `The account has no settlement wallet${wish} that the bridge reaches from chain ${body.originChainId}.`
      throw new PaymentError('NO_DESTINATION', message)
    }
    const [first] = found
    const well = found.filter(({ network }) => health.get(network.shortName).isPayable)
    if (first && well.length === 0) verifyPayable(first.network.shortName, health)
    return well.sort((a, b) => Number(b.isSame) - Number(a.isSame))
  }
}

/** Below the configured minimum the relay is not asked: its fee would be most of the amount. */
function verifyAmount(amount: string | number, { minimumAmount }: RelaySettings): void {
  if (parseAmount(amount, decimalsMost) >= parseAmount(minimumAmount, decimalsMost)) return
  throw new PaymentError('NO_ROUTE', `The amount is too low for the bridge: at least ${minimumAmount} is needed.`)
}

/** The request's money fields: the destination is decided once, and a repeat must not differ in these. */
function moneyOf(body: NewCrossChain): MoneyFields {
  const { originChainId, originCurrency, network, currency } = body
  const from = `${originCurrency.toUpperCase()} on chain ${originChainId}`
  const to = `${currency?.toUpperCase() ?? 'any currency'} on ${network?.toLowerCase() ?? 'any network'}`
  const price = askedPriceOf(body)
  const sum = price ? `${price.amount} ${price.currency}` : `${body.amount}`
  const exact = price ? `price ${sum}` : `${parseAmount(sum, decimalsMost)} (18 decimals)`
  return {
    terms: `${exact} from ${from} to ${to} by cross_chain`,
    asked: `${sum} from ${from} to ${to}`,
  }
}
