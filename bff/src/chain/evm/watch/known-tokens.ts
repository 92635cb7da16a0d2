import type { LogNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import type { Log } from '../../../core/log.ts'
import type { Db } from '../../../db/db.ts'
import { recordedTokens } from '../../../payment/store/token-store.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'

/** Describes a token to measure, by its address in lower case; null is the coin. Undefined: the token is unknown. */
export type DescribeToken = (token: string | null) => { token: string; currency: string; decimals: number } | undefined

/** The tokens searched for at deposit addresses, by address in lower case. */
export type KnownTokens = {
  all: ReadonlySet<string>
  describe: DescribeToken
  /** Whether the token is no longer configured: its contract may have stopped working. */
  isFormer(token: string | null): boolean
}

/** Reads the configured and the formerly configured tokens. */
export async function readKnownTokens(db: Db, { shortName, tokens, nativeCurrency }: LogNetwork): Promise<KnownTokens> {
  const configured = new Set(tokens.map(({ address }) => address.toLowerCase()))
  const known = new Map((await db.read((tx) => recordedTokens(tx, shortName))).map((token) => [token.address, token]))
  for (const { address, symbol, decimals } of tokens) {
    const token = address.toLowerCase()
    known.set(token, { address: token, symbol, decimals })
  }
  return {
    all: new Set(known.keys()),
    describe(token) {
      if (token === null)
        return { token: coinAddress, currency: nativeCurrency.symbol, decimals: nativeCurrency.decimals }
      const found = known.get(token)
      return found && { token, currency: found.symbol, decimals: found.decimals }
    },
    isFormer: (token) => token !== null && !configured.has(token),
  }
}

type Reader = { adapter: Pick<EvmAdapter, 'balances'>; network: { shortName: string }; log: Log }

/** What to read: a token's balances, or the coin's (null), of the addresses at the block. */
type Balances = { token: string | null; addresses: readonly string[]; block: number }

/** @returns in the order of the addresses; undefined if the token is no longer configured and does not respond. */
export async function readBalancesOf(
  { adapter, network, log }: Reader,
  { isFormer }: KnownTokens,
  { token, addresses, block }: Balances,
  signal: AbortSignal,
) {
  try {
    return await adapter.balances(token, addresses, block, signal)
  } catch (error) {
    if (signal.aborted || !isFormer(token)) throw error
    log.warn({ network: network.shortName, token, fault: faultText(error) }, 'A removed token does not respond')
    return undefined
  }
}
