import type { Hex } from 'viem'

/** Addresses of one call: the answer must fit the 24,576 bytes that EIP-170 allows what a creation returns. */
export const balancesMax = 500

/**
 * Creation code that returns the coin's balance of each address behind it, a word each. A node runs it by `eth_call`, so
 * that one call reads many balances and no contract needs to be deployed for it.
 *
 * ```
 * 6024 38 03 80 6024 6000 39   length = codesize - 0x24; copy what is behind the code to memory 0
 * 6000 5b 81 81 10 15 601f 57  for (i = 0; i < length;
 * 80 51 31 81 52               memory[i] = balance(memory[i])
 * 6020 01 600c 56              i += 32)
 * 5b 50 6000 f3                return memory[0 .. length]
 * ```
 */
const balancesCode = '0x6024380380602460003960005b81811015601f578051318152602001600c565b506000f3'

/** `balanceOf(address)`, ERC-20. */
const balanceOfSelector = '0x70a08231'

const wordDigits = 64

type Request = <T>(method: string, params: unknown[], signal: AbortSignal) => Promise<T>

/** Balances at one block, in the order of the addresses: of a token, in its base units, or of the coin, in wei. */
export type ReadBalances = (
  token: string | null,
  addresses: readonly string[],
  block: number,
  signal: AbortSignal,
) => Promise<bigint[]>

export function createBalanceReader(request: Request): ReadBalances {
  const word = (address: string) => address.slice(2).toLowerCase().padStart(wordDigits, '0')

  /** @throws {Error} when the answer is not so many words. */
  async function call(params: { to?: string; data: string }, block: number, words: number, signal: AbortSignal) {
    const answer = await request<Hex>('eth_call', [params, `0x${block.toString(16)}`], signal)
    if (!/^0x[0-9a-f]*$/i.test(answer) || answer.length !== 2 + words * wordDigits) {
      throw new Error(`A node answered ${answer.length} characters where ${words} balances were asked for`)
    }
    return Array.from({ length: words }, (_, index) =>
      BigInt(`0x${answer.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits)}`),
    )
  }

  return async function readBalances(token, addresses, block, signal) {
    if (addresses.length === 0) return []
    if (addresses.length > balancesMax) throw new RangeError(`${addresses.length} addresses are above ${balancesMax}`)
    if (token === null)
      return await call({ data: balancesCode + addresses.map(word).join('') }, block, addresses.length, signal)
    const balances: bigint[] = []
    for (const address of addresses) {
      signal.throwIfAborted()
      const [balance = 0n] = await call({ to: token, data: balanceOfSelector + word(address) }, block, 1, signal)
      balances.push(balance)
    }
    return balances
  }
}
