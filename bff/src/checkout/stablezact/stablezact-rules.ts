import type { Caller } from '../../access/context/caller.ts'
import { currencyOf, limitCurrency, type Networks } from '../../core/families.ts'
import { add, type BaseUnits, smaller } from '../../core/money.ts'
import { isFreeNetwork } from '../../network/free-network.ts'
import { refundableByMerchant } from '../../payment/merchant-refund.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'
import { refundsOfDue } from '../../payment/payment-sums.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import type { StablezactSettings } from './stablezact-setting.ts'

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a rule may read. `caller`: undefined on routes without a key. `isOfShop`: the payment belongs to the clients' merchant. */
type Asked = {
  settings: StablezactSettings
  payment: Payment
  caller: Caller | undefined
  details: Details
  isOfShop: boolean
}

/** The client that needs the rule, and the calls that it changes, such as `POST /payments/create`. */
type Rule = { name: string; client: string; calls: RegExp } & (
  | { request: (body: Fields, settings: StablezactSettings) => Fields }
  | { response: (body: Fields, asked: Asked) => Fields }
)

const calcom = 'Cal.com, packages/app-store/stablezact'
const calcomCoinley = 'Cal.com, packages/app-store/coinley'
const creates = /^POST \/(payments|deposits)\/create$/
const createsContract = /^POST \/payments\/create$/
const readsPublic = /^GET \/payments\/public\/[^/]+$/
const readsRecord = /^GET \/payments\/[\da-f-]{36}$/i

/**
 * How the responses at `/stablezact/api` differ from those at `/api`, and for which client. `stablezact-clients.test.ts` replays each
 * client's calls, and checks the responses by that client's own rules.
 */
export const rules = [
  {
    name: 'currency-names',
    client: `${calcom}: sends the booking's currency in lower case, such as usd or usdt`,
    calls: creates,
    request: (body, { usd }) => {
      if (typeof body['currency'] !== 'string') return body
      const currency = body['currency'].toUpperCase()
      return { ...body, currency: currency === 'USD' ? usd : currency }
    },
  },
  {
    name: 'unused-callback',
    client: `${calcom} and ${calcomCoinley}: name https://google.com as callbackUrl, which must learn nothing of payments`,
    calls: creates,
    request: ({ callbackUrl, ...body }) =>
      callbackUrl === 'https://google.com' || callbackUrl === undefined ? body : { ...body, callbackUrl },
  },
  {
    name: 'number-amounts',
    client: `${calcom} and ${calcomCoinley}: their page requires amount and totalAmount as numbers, and paymentMethod`,
    calls: createsContract,
    response: (body) => {
      const payment = paymentIn(body)
      const numbers = ['amount', 'totalAmount'].map((name) => [name, numberOf(String(payment[name]))])
      return withPayment(body, { ...Object.fromEntries(numbers), paymentMethod: payment['paymentMode'] })
    },
  },
  {
    name: 'wallet-aliases',
    client: `${calcom} and ${calcomCoinley}: read the platform's wallet and share under the service's name`,
    calls: createsContract,
    response: (body) => {
      const { platformWallet, platformPercentage } = paymentIn(body)
      const names = ['stablezact', 'coinley']
      const aliases = names.flatMap((name) => [
        [`${name}Wallet`, platformWallet],
        [`${name}Percentage`, platformPercentage],
      ])
      return withPayment(body, Object.fromEntries(aliases))
    },
  },
  {
    name: 'payment-id',
    client: `${calcom} and ${calcomCoinley}: refund and cancel the paymentId beside the payment that create answered`,
    calls: createsContract,
    response: (body, { payment }) => ({ ...body, paymentId: payment.id }),
  },
  {
    name: 'public-metadata',
    client: `${calcom}: confirm-payment.ts compares payment.metadata.bookingId of the public view with its booking`,
    calls: readsPublic,
    response: (body, { payment, settings, details, isOfShop }) => {
      if (!isOfShop || !details.isMoney(payment) || !details.isInDollars(payment)) return body
      const metadata = payment.metadata ?? {}
      const shown = settings.publicMetadata.filter((key) => Object.hasOwn(metadata, key))
      return withPayment(body, { metadata: Object.fromEntries(shown.map((key) => [key, metadata[key]])) })
    },
  },
  {
    name: 'public-status',
    client: `${calcom}: confirm-payment.ts takes confirmed, completed and swept for paid, and no other status`,
    calls: readsPublic,
    response: (body, { payment, details }) => {
      if (outcomeOf(payment) !== 'paid') return body
      const completed = details.isMoney(payment) ? 'completed' : 'test_completed'
      return withPayment(body, { status: refundStatusOf(payment) ?? completed })
    },
  },
  {
    name: 'record-status',
    client: `${calcomCoinley}: confirm-payment.ts reads a top-level status`,
    calls: readsRecord,
    response: (body, { payment, caller, details }) => ({ ...details.of(payment, caller), ...body }),
  },
] as const satisfies readonly Rule[]

export type StablezactRule = Rule

export type Details = ReturnType<typeof createDetails>

/** The payment fields that these clients read at the top level of a response, with their statuses. */
export function createDetails(networks: Networks, viewer: PaymentViewer) {
  /**
   * Whether the payment moves real money. Anyone with a public key can create and complete a sandbox payment, and testnet tokens are free.
   * The clients check neither.
   */
  const isMoney = ({ isTest, network }: Payment): boolean => !isTest && !isFreeNetwork(networks, network)

  /** Bookings are priced in dollars, and the clients compare the number of tokens but not the token. */
  const isInDollars = ({ currency }: Payment): boolean => currencyOf(networks, currency) === limitCurrency

  function statusOf(payment: Payment, caller: Caller | undefined) {
    const outcome = outcomeOf(payment)
    if (outcome !== 'paid') return outcome
    const refundStatus = refundStatusOf(payment)
    if (refundStatus !== null) return refundStatus
    const isTrial = payment.isTest && caller?.isTest === true
    return isMoney(payment) || isTrial ? 'confirmed' : 'test_confirmed'
  }

  return {
    isMoney,
    isInDollars,
    /** @param caller - Who reads it; undefined without a key. */
    of(payment: Payment, caller: Caller | undefined) {
      const { transactionHash, merchantWallet, ...shown } = viewer.public(payment)
      return {
        paymentId: payment.id,
        status: statusOf(payment, caller),
        network: shown.network,
        currency: shown.currency,
        amount: numberOf(shown.amount),
        confirmations: shown.confirmations,
        timestamp: shown.confirmedAt ?? shown.createdAt,
        // The client's schema refuses null.
        ...(transactionHash !== null && { transactionHash }),
        ...(merchantWallet !== undefined && { merchantWallet }),
      }
    },
  }
}

/** The amount of a full refund: the amount due, or less if the merchant accepted less. */
export const wholeRefundOf = (payment: Payment): BaseUnits => smaller(refundableByMerchant(payment), payment.due)

/**
 * `refunding`: requested and not final. Neither status confirms a booking. Null: neither the amount due nor all that came is refunded. A part
 * that was refunded before the payment was paid is no refund of the amount due.
 */
function refundStatusOf(payment: Payment): 'refunded' | 'refunding' | null {
  const [whole, everything] = [wholeRefundOf(payment), refundableByMerchant(payment)]
  const { refundedByMerchant: refunded, refundDueByMerchant: due } = payment
  const { all, paid } = refundsOfDue(payment)
  if (whole === 0n) return null
  if (paid >= whole || refunded >= everything) return 'refunded'
  return all >= whole || add(refunded, due) >= everything ? 'refunding' : null
}

const paymentIn = (body: Fields): Fields => (isFields(body['payment']) ? body['payment'] : {})

const withPayment = (body: Fields, more: Fields): Fields => ({ ...body, payment: { ...paymentIn(body), ...more } })

/** The amount as a number if that is exact; otherwise the text, which these clients refuse, so that none shows a wrong sum. */
export function numberOf(text: string): number | string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return String(Number(text)) === short ? Number(text) : text
}
