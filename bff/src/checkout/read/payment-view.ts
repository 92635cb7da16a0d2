import { familyOf, familyOfPayment } from '../../chain/index.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import { add, type BaseUnits, formatAmount } from '../../core/money.ts'
import { iso } from '../../core/runtime.ts'
import type { Heads } from '../../network/heads.ts'
import { openAmountOf } from '../../payment/authorization.ts'
import { type BridgeView, bridgeOf, bridgeUri, bridgeView } from '../../payment/bridge.ts'
import {
  type ContractPayment,
  canBePaidLate,
  type DepositPayment,
  outcomeOf,
  type Payment,
} from '../../payment/payment.ts'
import { paymentStateOf, refundableOf } from '../../payment/payment-sums.ts'
import { lateRefusalOf, nextRefundOf, refundMessages, refundStateOf } from '../../payment/refund.ts'
import { sweptAtMsOf } from '../../payment/sweep.ts'
import { networkLogo, tokenLogo } from '../networks/logo.ts'
import { explorerLink, networkIdOf, tokenIdOf } from '../networks/network-view.ts'
import { settlementOf } from '../wire/settlement-view.ts'
import { viewUnmatched } from '../wire/unmatched-view.ts'
import { walletRequestsOf } from './wallet-requests.ts'

/**
 * The refund as readers see it. `amount`: the amount still to be refunded, or the refunded amount once none is left.
 */
function refundOf(payment: Payment) {
  const state = refundStateOf(payment)
  if (state === undefined || payment.mode !== 'deposit') return null
  const { refundAddress: address, refunded, refundTxId: txHash, tokenDecimals } = payment
  const amount = formatAmount(state === 'refunded' ? refunded : nextRefundOf(payment), tokenDecimals)
  const message = refundMessages[state]
  return { state, message, address, amount, amountRefunded: formatAmount(refunded, tokenDecimals), txHash }
}

/** Whether the payment can no longer change. */
const isFinal = (payment: Payment): boolean => outcomeOf(payment) !== 'pending' && !canBePaidLate(payment)

/** A simulated chain has no head: a detected transfer has one confirmation, a confirmed transfer has all required. */
function simulatedConfirmations(payment: Payment, required: number): number {
  if (payment.lastBlock === null) return 0
  return payment.seen > payment.received ? Math.min(1, required - 1) : required
}

/** Head − block + 1; capped at the required number once the payment is decided, so that the response stops changing. */
function confirmationsOf(payment: Payment, headNumber: number | undefined, required: number): number {
  if (payment.lastBlock === null || headNumber === undefined) return 0
  const seen = Math.max(0, headNumber - payment.lastBlock + 1)
  return outcomeOf(payment) === 'pending' ? seen : Math.min(seen, required)
}

export type PaymentViewer = ReturnType<typeof createPaymentViewer>
export type PublicView = ReturnType<PaymentViewer['public']>

/** The only place that maps stored names to wire names. `lenientClients` adds names that older clients read. */
export function createPaymentViewer(
  networks: Networks,
  heads: Heads,
  { lenientClients = false, publicUrl = null }: { lenientClients?: boolean; publicUrl?: string | null } = {},
) {
  const networkOf = (payment: Payment): Network | undefined => findNetwork(networks, payment.network)

  function confirmations(payment: Payment) {
    const required = payment.confirmations ?? networkOf(payment)?.confirmations ?? 1
    if (payment.isTest) return { confirmations: simulatedConfirmations(payment, required), required }
    return { confirmations: confirmationsOf(payment, heads.get(payment.network)?.number, required), required }
  }

  /** The fields of the status endpoint. */
  function status(payment: Payment) {
    const outcome = outcomeOf(payment)
    const format = (amount: BaseUnits) => formatAmount(amount, payment.tokenDecimals)
    const arrived = add(payment.received, payment.late)
    const deposit = payment.mode === 'deposit' ? payment : null
    const confirmed = confirmations(payment)
    return {
      id: payment.id,
      paymentId: payment.id,
      status: payment.status,
      outcome,
      isFinal: isFinal(payment),
      paymentState: paymentStateOf(payment),
      settlement: settlementOf(payment),
      amount: format(payment.due),
      amountReceived: arrived > 0n ? format(arrived) : null,
      currency: payment.currency,
      network: payment.network,
      transactionHash: payment.lastTxId,
      depositTxHash: deposit === null ? null : payment.lastTxId,
      sweepTxHash: deposit === null ? null : deposit.sweepTxId,
      confirmations: confirmed.confirmations,
      requiredConfirmations: confirmed.required,
      detectedAt: iso(payment.detectedAtMs),
      confirmedAt: iso(payment.confirmedAtMs),
      expiresAt: iso(payment.expiresAtMs),
      bridgeStatus: bridgeOf(payment)?.status ?? null,
      isTest: payment.isTest,
      sandbox: payment.isTest,
    }
  }

  /** The fields that the deposit status endpoint adds: the amount still to be sent, and the amount owed back. */
  function deposit(payment: Payment) {
    const format = (amount: BaseUnits) => formatAmount(amount, payment.tokenDecimals)
    return extended(status(payment), {
      amountDetected: payment.seen > 0n ? format(payment.seen) : null,
      amountRemaining: format(openAmountOf(payment)),
      excessOwed: format(refundableOf(payment)),
      refund: refundOf(payment),
      unmatched: payment.mode === 'deposit' ? viewUnmatched(payment, networks) : [],
      depositAddress: addressOf(payment),
      depositMethod: bridgeOf(payment) ? 'bridge' : payment.mode === 'deposit' ? 'address' : 'contract',
      sweptAt: iso(sweptAtMsOf(payment)),
      isExpired: payment.status === 'expired',
    })
  }

  /** The sum of all transfers detected so far, confirmed or not, in whole tokens. */
  function balance(payment: Payment) {
    const seen = add(payment.seen, payment.late)
    return { balance: formatAmount(seen, payment.tokenDecimals), isComplete: outcomeOf(payment) === 'paid' }
  }

  /** The recipients of the contract call and their amounts. Percentages are basis points. */
  function contract(payment: ContractPayment) {
    const terms = familyOfPayment(payment).walletTermsOf(payment)
    const platformPercentage = terms.feeBps
    const fee = ((payment.due * BigInt(platformPercentage)) / 10_000n) as BaseUnits
    const shown = {
      totalAmount: formatAmount(payment.due, payment.tokenDecimals),
      feeAmount: formatAmount(fee, payment.tokenDecimals),
      contractAddress: terms.splitter,
      splitterPaymentId: terms.paymentId,
      merchantWallet: terms.merchant,
      platformWallet: terms.platform,
      merchantPercentage: 10_000 - platformPercentage,
      platformPercentage,
      chainId: terms.chainId,
      tokenAddress: terms.token,
      tokenDecimals: payment.tokenDecimals,
    }
    if (!lenientClients) return shown
    return extended(shown, { coinleyWallet: terms.platform, coinleyPercentage: platformPercentage })
  }

  /**
   * Safe for anyone who holds the payment's id: no order id, e-mail, metadata or callback.
   * @param origin - The address at which the reader reaches this service, for logo URLs.
   */
  function publicView(payment: Payment, origin: string | null = publicUrl) {
    const network = networkOf(payment)
    const token = network?.tokens.find((candidate) => candidate.symbol === payment.currency)
    // A test payment is on no chain: it has no explorer, and no address that a wallet could send real money to.
    const chain = payment.isTest ? undefined : network
    const shown = deposit(payment)
    const address = addressOf(payment)
    const bridge = bridgeOf(payment)
    if (payment.mode === 'contract') extended(shown, contract(payment))
    else if (bridge) extended(shown, bridgeView(payment, bridge))
    return extended(shown as typeof shown & Partial<ReturnType<typeof contract> & BridgeView>, {
      ...priceView(payment),
      returnUrl: returnUrlOf(payment),
      paymentMode: bridge ? 'cross_chain' : payment.mode,
      createdAt: iso(payment.createdAtMs),
      explorer: {
        address: address === null ? null : explorerLink(chain, 'address', address),
        transaction: payment.lastTxId === null ? null : explorerLink(chain, 'tx', payment.lastTxId),
      },
      paymentUri:
        payment.mode === 'contract'
          ? walletUri(payment, publicUrl)
          : bridge
            ? bridgeUri(bridge)
            : depositUri(payment, chain),
      Token: {
        id: tokenIdOf(payment.network, payment.currency),
        symbol: payment.currency,
        name: token?.name ?? payment.currency,
        contractAddress: payment.tokenAddress,
        decimals: payment.tokenDecimals,
        logo: tokenLogo(origin, payment.currency),
        isStablecoin: true,
      },
      Network: {
        id: networkIdOf(payment.network),
        name: network?.name ?? payment.network,
        shortName: payment.network,
        chainId: chain ? familyOf(chain).walletChainId(chain) : null,
        type: network?.family ?? null,
        isTestnet: network?.isTestnet ?? false,
        explorerUrl: chain?.explorerUrl ?? null,
        rpcUrls: chain && 'publicRpcUrls' in chain ? [...chain.publicRpcUrls] : [],
        hasCoin: chain ? familyOf(chain).hasCoin(chain) : true,
        logo: networkLogo(origin, network),
      },
      Merchant: { businessName: payment.merchantName },
    })
  }

  /** For webhooks and for reads with credentials, which withhold the fields that the reader must not see. */
  function merchantView(payment: Payment, origin: string | null = publicUrl) {
    return extended(publicView(payment, origin), {
      orderId: payment.orderId,
      customerEmail: payment.customerEmail,
      callbackUrl: payment.callbackUrl,
      metadata: payment.metadata ?? {},
      linkId: payment.linkId,
      agentId: payment.agentId,
      agentOwner: payment.agentOwner,
      failureReason: payment.closeReason,
      refundedByMerchant: formatAmount(payment.refundedByMerchant, payment.tokenDecimals),
      refundDueByMerchant: formatAmount(payment.refundDueByMerchant, payment.tokenDecimals),
      canAcceptLate: lateRefusalOf(payment) === undefined,
      sequence: payment.sequence,
    })
  }

  /** Changes whenever the public view does, including by the merchant's setting for payments by signature. */
  function etag(payment: Payment): string {
    const state = `${payment.version}.${confirmations(payment).confirmations}`
    return payment.takesSignatures ? `"${state}"` : `"${state}.unsigned"`
  }

  return {
    status,
    deposit,
    balance,
    walletRequests: (payment: Payment) => walletRequestsOf(networkOf(payment), payment),
    public: publicView,
    merchant: merchantView,
    etag,
  }
}

/** The price that the customer was asked for; nulls if the create named the amount in tokens. */
function priceView({ price }: Payment) {
  return {
    price: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
    rate: price?.rate ?? null,
    rateAt: iso(price?.rateAtMs ?? null),
  }
}

/** Adds the payment's id to the query, unless the shop's URL already has that parameter. */
function returnUrlOf({ id, returnUrl }: Payment): string | null {
  if (returnUrl === null) return null
  const url = new URL(returnUrl)
  if (!url.searchParams.has(returnUrlParam)) url.searchParams.set(returnUrlParam, id)
  return url.href
}

const returnUrlParam = 'paymentId'

/** Spreading an object of this many fields takes ten times as long as adding to it. */
function extended<Base extends object, More extends object>(base: Base, more: More): Base & More {
  return Object.assign(base, more)
}

/**
 * The address that the customer pays on the payment's own network. Null for a cross-chain payment, whose deposit
 * address only the relay pays.
 */
const addressOf = (payment: Payment): string | null =>
  payment.mode === 'deposit' && payment.bridge === undefined ? payment.depositAddress : null

/** A payment request for the remaining amount, or for the whole amount when none remains. */
function depositUri(payment: DepositPayment, network: Network | undefined): string | null {
  if (!network) return null
  const open = openAmountOf(payment)
  return familyOf(network).depositUri(network, payment, open > 0n ? open : payment.due)
}

/**
 * The link by which a wallet requests its transaction while the payment is open; null if no public address is
 * configured.
 */
function walletUri(payment: ContractPayment, publicUrl: string | null): string | null {
  const isOpen = !payment.isTest && outcomeOf(payment) === 'pending'
  return isOpen && publicUrl !== null ? familyOfPayment(payment).walletUri(payment, publicUrl) : null
}
