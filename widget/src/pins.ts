/** The payment splitter's address on every EVM chain: its deployment is deterministic (`bff/contracts`). */
export const splitterAddress = '0x452Da812179db74E8E864e66AF0Dd28689BC5894'

/** What the page vouches for. The service cannot say otherwise, so that a service that was broken into steals nothing by it. */
export type Pins = {
  splitters: readonly string[]
  /** Empty: whoever the service names is paid. */
  merchantWallets: readonly string[]
  /** What all others than the merchant may get together, in basis points; holds only where the merchant's wallet is named. */
  maxFeeBps: number
  /** Empty: the token that the element knows itself. */
  tokenAddress: string
}

/** The attributes that pin, as the page wrote them. */
export type PinSettings = {
  readonly splitter: string
  readonly merchantWallet: string
  readonly maxFeeBps: string
  readonly tokenAddress: string
}

export function pinsOf({ splitter, merchantWallet, maxFeeBps, tokenAddress }: PinSettings): Pins {
  const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  return {
    splitters: splitter ? listOf(splitter) : [splitterAddress],
    merchantWallets: listOf(merchantWallet),
    maxFeeBps: Number(maxFeeBps || 0),
    tokenAddress: tokenAddress.trim(),
  }
}

/** Addresses of Ethereum may differ in the case of their letters; addresses of Solana may not. */
export function isSameAddress(one: string, other: string): boolean {
  const isHex = one.startsWith('0x') && other.startsWith('0x')
  return isHex ? one.toLowerCase() === other.toLowerCase() : one === other
}

/**
 * @param merchantBps - The merchant's share of the payment.
 * @throws {RangeError} when the page names the merchant's wallet, and the payment goes elsewhere.
 */
export function verifyMerchant(pins: Pins, wallet: string, merchantBps: number): void {
  if (pins.merchantWallets.length === 0) return
  if (!pins.merchantWallets.some((pinned) => isSameAddress(pinned, wallet)))
    throw new RangeError(`The payment would go to ${wallet}, which the page does not name in merchant-wallet.`)
  if (10_000 - merchantBps > pins.maxFeeBps)
    throw new RangeError(`Others would get ${10_000 - merchantBps} bps of it; max-fee-bps allows ${pins.maxFeeBps}.`)
}
