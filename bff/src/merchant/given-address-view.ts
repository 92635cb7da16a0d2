import { isXpubSource, xpubPath } from '../chain/xpub-account.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import type { GivenAddress } from './given-address-store.ts'

/** Extended public keys have paths. The tag of a virtual address is its number. */
const pathOf = ({ source, number }: GivenAddress): string =>
  isXpubSource(source) ? xpubPath({ number }) : String(number)

/** An address that was given to a payment, as a merchant reads it. Its fields are the columns of every export. */
export const addressView = (given: GivenAddress) => ({
  path: pathOf(given),
  address: given.address,
  received: formatAmount(given.received as BaseUnits, given.tokenDecimals),
  currency: given.currency,
  outcome: given.outcome,
  paymentId: given.paymentId,
  account: given.source,
})
