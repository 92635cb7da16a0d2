/** The payment splitter's address on every EVM chain: it is deployed deterministically (`bff/contracts`). */
export const splitterAddress = '0x452Da812179db74E8E864e66AF0Dd28689BC5894'

/** Payees pinned by the page. The service cannot override them, so a compromised service cannot redirect payments. */
export type Pins = {
  splitters: readonly string[]
  /** Empty: the service's payee is accepted. */
  merchantWallets: readonly string[]
  /**
   * The maximum share of everybody but the merchant, in basis points; applies only if the merchant's wallet is pinned.
   */
  maxFeeBps: number
  /** Empty: the element's known token. */
  tokenAddress: string
}

/** The pinning attributes, unparsed. */
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

/** Ethereum addresses are case-insensitive; Solana addresses are not. */
export function isSameAddress(one: string, other: string): boolean {
  const isHex = one.startsWith('0x') && other.startsWith('0x')
  return isHex ? one.toLowerCase() === other.toLowerCase() : one === other
}

/**
 * @param merchantBps - The merchant's share of the payment.
 * @throws {RangeError} when the page pins a merchant's wallet and the payment goes to another one.
 */
export function verifyMerchant(pins: Pins, wallet: string, merchantBps: number): void {
  if (pins.merchantWallets.length === 0) return
  if (!pins.merchantWallets.some((pinned) => isSameAddress(pinned, wallet)))
    throw new RangeError(`The payment goes to ${wallet}, which merchant-wallet does not list.`)
  if (10_000 - merchantBps > pins.maxFeeBps)
    throw new RangeError(`Others would receive ${10_000 - merchantBps} bps; max-fee-bps allows ${pins.maxFeeBps}.`)
}
