import type { Token } from './evm-order.ts'
import type { EvmWallet } from './evm-wallet.ts'

/**
 * A token that neither the element nor the page knows is read on the wallet's own node: a compromised service cannot
 * have "25.00 USDC" paid in a more valuable token.
 * @returns the difference to the token on screen; null if there is none.
 */
export async function tokenFault(client: EvmWallet, token: Token): Promise<string | null> {
  if (!token.hasKnownDecimals) {
    const decimals = await client.decimals(token.address)
    if (decimals !== BigInt(token.decimals))
      return `The token at ${token.address} does not have ${token.decimals} decimals.`
  }
  if (token.isKnown) return null
  const symbol = await client.symbol(token.address)
  return isSameSymbol(symbol, token.symbol)
    ? null
    : `The token at ${token.address} is "${symbol}", not ${token.symbol}.`
}

/** Bridges extend a symbol, like `USDC.e`; Tether writes its T as ₮ on some networks. */
function isSameSymbol(found: string, shown: string): boolean {
  return found.replaceAll('₮', 'T').toUpperCase().startsWith(shown.toUpperCase())
}
