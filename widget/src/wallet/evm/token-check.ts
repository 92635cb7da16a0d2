import type { Token } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'

/**
 * A token that neither the element nor the page vouches for is asked what it is, by the wallet's own node: a service that
 * was broken into cannot have "25.00 USDC" paid in a dearer token.
 * @returns why it is not the one on screen; null when it is.
 */
export async function tokenFault(client: EvmWallet, token: Token): Promise<string | null> {
  if (!token.hasKnownDecimals) {
    const decimals = await client.decimals(token.address)
    if (decimals !== BigInt(token.decimals))
      return `The wallet does not find ${token.decimals} decimals at ${token.address}.`
  }
  if (token.isKnown) return null
  const symbol = await client.symbol(token.address)
  return isSameSymbol(symbol, token.symbol)
    ? null
    : `The wallet finds "${symbol}" and not ${token.symbol} at ${token.address}.`
}

/** Bridges put something behind a symbol, like `USDC.e`; Tether writes its T as ₮ on some networks. */
function isSameSymbol(found: string, shown: string): boolean {
  return found.replaceAll('₮', 'T').toUpperCase().startsWith(shown.toUpperCase())
}
