import { isXpubSource, xpubPath } from '../chain/xpub-account.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import type { GivenAddress } from './given-address-store.ts'

/** The path under an extended public key. For a virtual address, its tag: the number. */
const pathOf = ({ source, number }: GivenAddress): string =>
  isXpubSource(source) ? xpubPath({ number }) : String(number)

/** A given address as its merchant reads it. The fields are the columns of every export. */
export const addressView = (given: GivenAddress) => ({
  path: pathOf(given),
  address: given.address,
  received: formatAmount(given.received as BaseUnits, given.tokenDecimals),
  currency: given.currency,
  outcome: given.outcome,
  paymentId: given.paymentId,
  account: given.source,
})
