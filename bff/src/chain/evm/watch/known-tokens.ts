import type { LogNetwork } from '../../../core/families.ts'
import type { Db } from '../../../db/db.ts'
import { recordedTokens } from '../../../payment/store/token-store.ts'
import { coinAddress } from '../../../payment/unmatched.ts'

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
