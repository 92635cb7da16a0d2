import { sharesOf } from '@stablecoin-checkout/bff/testing/chain'
import { type DepositPayment, outcomeOf, refundableOf } from '@stablecoin-checkout/bff/testing/payment'
import { verify } from '../sentences.ts'
import { balanceOf } from './contracts.ts'
import { masterOf } from './deposit-kinds.ts'
import { tokens } from './service-site.ts'
import type { World } from './service-world.ts'
import type { ModelPayment } from './signers.ts'

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)

/** Money that arrived at the payment's address in its token, by the chain. */
export function arrived({ chain }: World, { address, token, windowEndsAtMs }: ModelPayment) {
  const target = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  const found = chain.blocks.flatMap((block) =>
    block.logs
      .filter((log) => log.address.toLowerCase() === token.toLowerCase() && log.topics[2] === target)
      .map((log) => ({ amount: BigInt(log.data), isInTime: block.timeMs <= windowEndsAtMs })),
  )
  return {
    total: sum(found.map(({ amount }) => amount)),
    inTime: sum(found.filter(({ isInTime }) => isInTime).map(({ amount }) => amount)),
  }
}

/** Where the money that arrived at an address of the merchant's own wallet lies. */
function atMerchant({ chain }: World, { address, token }: ModelPayment, total: bigint): bigint {
  // A virtual address holds nothing: its transfers credit the wallet.
  return masterOf(address) === undefined ? balanceOf(chain.tip().state, token, address) : total
}

/** Verifies a payment at an address of the merchant's own wallet, at rest. */
export function verifyDirect(world: World, payment: ModelPayment, books: DepositPayment): void {
  const { id } = payment
  const { total } = arrived(world, payment)
  const has = atMerchant(world, payment, total)
  verify(19, has === total, () => `${id}: ${total} came, ${has} are there`)
  verify(19, books.refunded === 0n && books.refunding === 0n, () => `${id}: ${books.refunded} went back`)
  verify(19, books.sweep !== 'confirmed', () => `${id} was swept`)
  verify(10, outcomeOf(books) !== 'paid' || total >= payment.least, () => `${id}: ${books.status} for ${total}`)
  const { merchant, fee } = sharesOf(books)
  verify(12, fee === 0n, () => `${id}: export says that the platform got ${fee}`)
  // What the merchant refunds is verified with the refunds.
  if (books.refundedByMerchant > 0n) return
  const owed = refundableOf(books)
  verify(12, owed === total - merchant, () => `${id}: ${owed} are owed of ${total}, ${merchant} kept`)
}

/**
 * What the merchant's wallet holds at addresses of payments, minus what customers overpaid or paid in another token: that lies in
 * the wallet too, until the merchant returns it.
 */
export function keptAtAddresses(world: World, stored: readonly DepositPayment[]): bigint {
  const kept = world.payments.map((payment, index) => {
    const books = stored[index]
    if (!books?.isDirect) return 0n
    const { total } = arrived(world, payment)
    const { merchant } = sharesOf(books)
    if (masterOf(payment.address) === undefined) return merchant
    // The wallet's own balance contains all of it.
    const others = Object.values(tokens).filter((token) => token.toLowerCase() !== payment.token.toLowerCase())
    return merchant - total - sum(others.map((token) => arrived(world, { ...payment, token }).total))
  })
  return sum(kept)
}
