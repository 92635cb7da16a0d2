import { z } from 'zod'
import type { BridgeReport, BridgeStatus } from '../../payment/payment.ts'
import { askRelay, type RelayAccess } from './relay-client.ts'
import { OtherRefundChainError, RelayDownError, RelayRefusal } from './relay-faults.ts'
import { chainsResponse, quoteResponse, requestsResponse, statusResponse } from './relay-schemas.ts'

/** A quote is slower than other requests, because the relay queries its own sources; the customer waits for it. */
const quoteTimeoutMs = 10_000
const timeoutMs = 5_000
const attempts = 3

/** A chain that the relay knows, of any family. `tokens` are accepted at deposit addresses; any other token is lost. */
export type RelayChain = {
  id: number
  name: string
  explorerUrl: string | null
  isEvm: boolean
  isEnabled: boolean
  tokens: readonly { symbol: string; address: string; decimals: number }[]
  /** Whether the relay pays out any token on this chain. */
  paysAnyToken: boolean
}

/** Delivers exactly `amount` of the destination token to `recipient` within `ttlSeconds`, or refunds the sender. */
export type QuoteOrder = {
  originChainId: number
  originToken: string
  destinationChainId: number
  destinationToken: string
  /** Base units of the destination token. */
  amount: bigint
  recipient: string
  /** Receives money on the origin chain that cannot be refunded to its sender. Someone must hold its key. */
  recoveryAddress: string
  ttlSeconds: number
}

/** `amountToSend` is in base units of the origin token. */
export type Quote = { requestId: string; depositAddress: string; amountToSend: bigint }

/** `status` is null if this version does not know `statusText`; such a status is never final. */
export type RelayStatus = Omit<BridgeReport, 'status'> & { status: BridgeStatus | null; statusText: string }

/** One request at a deposit address. An address may have several. */
export type RelayRequest = RelayStatus & { id: string }

export type Relay = ReturnType<typeof createRelay>

/** The zero address as `refundTo`: Relay refunds the sender. */
const backToSender = `0x${'0'.repeat(40)}`

/** By Relay's name. `refunded` is a variant in its documentation, `fallback` a former name of `refund`. */
const statuses: Readonly<Record<string, BridgeStatus>> = {
  waiting: 'waiting',
  depositing: 'depositing',
  pending: 'pending',
  submitted: 'submitted',
  delayed: 'delayed',
  success: 'success',
  refund: 'refund',
  refunded: 'refund',
  fallback: 'refund',
  failure: 'failure',
}

/**
 * Client of Relay's HTTP API with validated responses. Every method throws `RelayRefusal` and `RelayDownError`.
 * @see https://docs.relay.link/references/api/overview
 */
export function createRelay(access: RelayAccess) {
  return {
    async chains(): Promise<RelayChain[]> {
      const { chains } = await askRelay(access, { path: '/chains', schema: chainsResponse, timeoutMs, attempts })
      return chains.map((chain) => ({
        id: chain.id,
        name: chain.displayName ?? chain.name,
        explorerUrl: chain.explorerUrl ?? null,
        isEvm: chain.vmType === 'evm',
        isEnabled: chain.disabled !== true && chain.depositEnabled !== false,
        tokens: (chain.solverCurrencies ?? []).map(({ symbol, address, decimals }) => ({
          symbol: symbol ?? '',
          address,
          decimals,
        })),
        paysAnyToken: chain.tokenSupport === 'All',
      }))
    },

    /**
     * @throws {RelayDownError} also when the quote differs from the order.
     * @throws {OtherRefundChainError} when the relay would refund on another chain than the origin chain.
     */
    async quote(order: QuoteOrder): Promise<Quote> {
      const body = {
        // Relay's fallback for refunds: never the customer's address, which may belong to an exchange.
        user: order.recoveryAddress,
        recipient: order.recipient,
        originChainId: order.originChainId,
        destinationChainId: order.destinationChainId,
        originCurrency: order.originToken,
        destinationCurrency: order.destinationToken,
        amount: String(order.amount),
        // The relay delivers exactly this amount, or refunds.
        tradeType: 'EXACT_OUTPUT',
        useDepositAddress: true,
        strict: true,
        refundTo: backToSender,
        recoveryAddress: order.recoveryAddress,
        ttl: order.ttlSeconds,
      }
      const call = { path: '/quote/v2', body, schema: quoteResponse, timeoutMs: quoteTimeoutMs, attempts }
      return verifyQuote(order, await askRelay(access, call))
    },

    async status(requestId: string, signal?: AbortSignal): Promise<RelayStatus> {
      const path = `/intents/status/v3?${new URLSearchParams({ requestId })}`
      const response = await askRelay(access, {
        path,
        schema: statusResponse,
        timeoutMs,
        attempts: 1,
        ...within(signal),
      })
      return statusOf(response.status, first(response.inTxHashes), first(response.txHashes), {
        failReason: response.failReason,
        refundFailReason: response.refundFailReason,
      })
    },

    /** At most 20 requests at a deposit address, most recently updated first, including those without an order. */
    async requests(depositAddress: string, signal?: AbortSignal): Promise<RelayRequest[]> {
      const query = new URLSearchParams({ depositAddress, sortBy: 'updatedAt', sortDirection: 'desc', limit: '20' })
      const call = {
        path: `/requests/v3?${query}`,
        schema: requestsResponse,
        timeoutMs,
        attempts: 1,
        ...within(signal),
      }
      const { requests } = await askRelay(access, call)
      return requests.map((request) => {
        const hashOf = (list: typeof request.inTxs) => first(list?.map(({ txHash, hash }) => txHash ?? hash ?? ''))
        const [inTx, outTx] = [request.inTxs ?? request.data?.inTxs, request.outTxs ?? request.data?.outTxs]
        const failReason = request.failReason ?? request.data?.failReason ?? null
        const reported = statusOf(request.status, hashOf(inTx), hashOf(outTx), { failReason, refundFailReason: null })
        return Object.assign(reported, { id: request.id })
      })
    },

    /** Asks the relay to reindex a deposit address. @returns false when the relay refuses or limits the request. */
    async reindex(chainId: number, depositAddress: string, signal?: AbortSignal): Promise<boolean> {
      const path = '/transactions/deposit-address/reindex'
      const body = { chainId, depositAddress }
      const call = { path, body, schema: z.unknown(), timeoutMs, attempts: 1, ...within(signal) }
      try {
        await askRelay(access, call)
        return true
      } catch (error) {
        if (error instanceof RelayDownError && error.retryAfterMs !== null) return false
        if (error instanceof RelayRefusal) return false
        throw error
      }
    },
  }
}

const within = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
const first = (hashes: readonly string[] | null | undefined): string | null =>
  hashes?.find((hash) => hash !== '') ?? null

function statusOf(
  statusText: string,
  originTxId: string | null,
  outTxId: string | null,
  { failReason, refundFailReason }: { failReason: string | null; refundFailReason: string | null },
): RelayStatus {
  const status = statuses[statusText] ?? null
  const isBack = status === 'refund'
  return {
    status,
    statusText,
    originTxId,
    destinationTxId: isBack || status === 'failure' ? null : outTxId,
    // An automatic refund has two transactions; the first goes to the payer.
    refundTxId: isBack ? outTxId : null,
    reason: [failReason, refundFailReason].filter((text) => text !== null).join(', ') || null,
  }
}

/** @throws {RelayDownError} when the quote does not match the order. */
function verifyQuote(order: QuoteOrder, answer: z.infer<typeof quoteResponse>): Quote {
  const { recipient, currencyIn, currencyOut } = answer.details
  const wrong = (what: string) => new RelayDownError(`The relay's quote does not match the order: ${what}`)
  const steps = answer.steps.filter(({ depositAddress }) => depositAddress != null)
  const [step] = steps
  if (steps.length !== 1 || step?.depositAddress == null) throw wrong(`it has ${steps.length} deposit addresses`)
  if (step.requestId == null) throw wrong('it has no request id')
  if (!same(recipient, order.recipient)) throw wrong(`its recipient is ${recipient}`)
  if (currencyIn.currency.chainId !== order.originChainId) throw wrong('its origin is another chain')
  if (!same(currencyIn.currency.address, order.originToken)) throw wrong('its origin is another token')
  if (currencyOut.currency.chainId !== order.destinationChainId) throw wrong('its destination is another chain')
  if (!same(currencyOut.currency.address, order.destinationToken)) throw wrong('its destination is another token')
  const refundChainId = answer.details.refundCurrency?.currency.chainId ?? order.originChainId
  if (refundChainId !== order.originChainId) throw new OtherRefundChainError(refundChainId)
  const least = BigInt(currencyOut.minimumAmount ?? currencyOut.amount)
  if (least < order.amount) throw wrong(`it delivers ${least} instead of ${order.amount}`)
  const amountToSend = BigInt(currencyIn.amount)
  if (amountToSend <= 0n) throw wrong('it asks for nothing')
  const holes = [order.recipient, order.originToken, order.destinationToken, backToSender]
  const { depositAddress } = step
  if (holes.some((hole) => same(hole, depositAddress))) throw wrong(`its deposit address is ${depositAddress}`)
  return { requestId: step.requestId, depositAddress, amountToSend }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
