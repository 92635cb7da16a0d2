import type { Hex } from 'viem'

/** Addresses per call: the result must fit the 24,576 bytes that EIP-170 allows for created code. */
export const balancesMax = 500

/** Non-archive nodes keep the state of 128 blocks; the margin allows for blocks mined before the call. */
const stateBlocksMax = 100

/**
 * The block at which balances are read: the newest confirmed one, or a younger one whose state ordinary nodes have not pruned.
 */
export const balancesBlock = (head: number, confirmations: number): number =>
  Math.max(0, head - confirmations + 1, head - stateBlocksMax)

/**
 * Creation code that returns the coin balance of each address appended to it, one word each. A node runs it with `eth_call`: one
 * call reads many balances without a deployed contract.
 *
 * ```
 * 6024 38 03 80 6024 6000 39   length = codesize - 0x24; copy the appended words to memory 0
 * 6000 5b 81 81 10 15 601f 57  for (i = 0; i < length;
 * 80 51 31 81 52               memory[i] = balance(memory[i])
 * 6020 01 600c 56              i += 32)
 * 5b 50 6000 f3                return memory[0 .. length]
 * ```
 */
const balancesCode = '0x6024380380602460003960005b81811015601f578051318152602001600c565b506000f3'

/**
 * The same for a token, whose address is the first appended word. Reverts if the token does not return a word.
 *
 * ```
 * 604c 38 03 80 604c 6000 39   length = codesize - 0x4c; copy the appended words to memory 0
 * 63 70a08231 60e0 1b 81 52    memory[length] = selector of balanceOf(address)
 * 6020 5b 81 81 10 15 6043 57  for (i = 32; i < length;
 * 80 51 82 6004 01 52          memory[length + 4] = memory[i]
 * 6020 81 6024 84 6000 51      token = memory[0]; the call's 36 bytes are at length, its result goes to memory[i]
 * 5a fa 601f 3d 11 16          call the token; whether it returned 32 bytes or more
 * 603c 57 6000 80 fd 5b        revert, if not
 * 6020 01 6016 56              i += 32)
 * 5b 50 6020 90 03 6020 f3     return memory[32 .. length]
 * ```
 */
const tokenBalancesCode =
  '0x604c380380604c6000396370a0823160e01b8152602' +
  '05b81811015604357805182600401526020816024846000515afa601f3d1116603c57600080fd5b6020016016565b5060209003' +
  '6020f3'

/**
 * Creation code that returns one word for each address appended to it: 1 if the contract's `isOpen()` returns false, else 0.
 *
 * ```
 * 603e 38 03 80 603e 6000 39   length = codesize - 0x3e; copy the appended words to memory 0
 * 63 47535d7b 60e0 1b 81 52    memory[length] = selector of isOpen()
 * 6000 5b 81 81 10 15 6039 57  for (i = 0; i < length;
 * 6020 81 6004 84 84 51        the call's 4 bytes are at length, its result goes to memory[i]
 * 5a fa 601f 3d 11 16          call memory[i]; whether it returned 32 bytes or more
 * 81 51 15 16 81 52            memory[i] = that, and memory[i] == 0
 * 6020 01 6016 56              i += 32)
 * 5b 50 6000 f3                return memory[0 .. length]
 * ```
 */
const settledCode =
  '0x603e380380603e6000396347535d7b60e01b815260005b818110156039576020816004848451' +
  '5afa601f3d1116815115168152602001601656' +
  '5b506000f3'

/** `balanceOf(address)`, ERC-20. */
const balanceOfSelector = '0x70a08231'

const wordDigits = 64

type Request = <T>(method: string, params: unknown[], signal: AbortSignal) => Promise<T>

/** Balances at one block, in the order of the addresses: of a token in base units, or of the coin (null) in wei. */
export type ReadBalances = (
  token: string | null,
  addresses: readonly string[],
  block: number,
  signal: AbortSignal,
) => Promise<bigint[]>

/** Balances of the addresses at the newest block, for each token in order; one call per token. */
export const createHoldingsReader =
  (
    tokens: readonly { address: string }[],
    { head, balances }: { head(signal: AbortSignal): Promise<{ number: number }>; balances: ReadBalances },
  ) =>
  async (addresses: readonly string[], signal: AbortSignal): Promise<bigint[][]> => {
    const { number } = await head(signal)
    const held: bigint[][] = []
    for (const { address } of tokens) held.push(await balances(address, addresses, number, signal))
    return held
  }

/** Whether forwarders are settled at a block, in order; they need not be deployed. A deposit is settled at most once. */
export type ReadSettled = (forwarders: readonly string[], block: number, signal: AbortSignal) => Promise<boolean[]>

/** Reads many addresses at one block, in one call. */
export function createStateReader(request: Request): { balances: ReadBalances; areSettled: ReadSettled } {
  const word = (address: string) => address.slice(2).toLowerCase().padStart(wordDigits, '0')

  /** @throws {Error} when the result does not have the expected number of words. */
  async function call(params: { to?: string; data: string }, block: number, words: number, signal: AbortSignal) {
    const answer = await request<Hex>('eth_call', [params, `0x${block.toString(16)}`], signal)
    if (!/^0x[0-9a-f]*$/i.test(answer) || answer.length !== 2 + words * wordDigits) {
      throw new Error(`A node returned ${answer.length} characters instead of ${words} words`)
    }
    return Array.from({ length: words }, (_, index) =>
      BigInt(`0x${answer.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits)}`),
    )
  }

  function wordsOf(addresses: readonly string[]): string {
    if (addresses.length > balancesMax) throw new RangeError(`${addresses.length} addresses exceed ${balancesMax}`)
    return addresses.map(word).join('')
  }

  return {
    async balances(token, addresses, block, signal) {
      if (addresses.length === 0) return []
      const words = wordsOf(addresses)
      if (token === null) return await call({ data: balancesCode + words }, block, addresses.length, signal)
      if (addresses.length === 1) return await call({ to: token, data: balanceOfSelector + words }, block, 1, signal)
      return await call({ data: tokenBalancesCode + word(token) + words }, block, addresses.length, signal)
    },
    async areSettled(forwarders, block, signal) {
      if (forwarders.length === 0) return []
      const answer = await call({ data: settledCode + wordsOf(forwarders) }, block, forwarders.length, signal)
      return answer.map((one) => one === 1n)
    },
  }
}
