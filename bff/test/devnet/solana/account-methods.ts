import type { AccountState } from './accounts.ts'
import type { Block } from './ledger.ts'
import { invalidParams } from './rpc-error.ts'
import {
  address,
  addressAt,
  type Config,
  configAt,
  inContext,
  listAt,
  type Methods,
  type Sight,
  wholeAt,
} from './rpc-params.ts'
import { readMint, readTokenAccount, tokenProgram, uiAmount } from './token-account.ts'
import { toBase58 } from './transaction.ts'

const accountsMax = 100

/** The rent epoch of a rent-exempt account: u64's maximum. JSON cannot represent it exactly, but nodes send it. */
const rentEpoch = 18_446_744_073_709_552_000

/** Account state. */
export function accountMethods({ ledger, view }: Sight): Methods {
  const read = (key: string, { slot }: Block): AccountState | null => ledger.accounts.read(key, slot)

  function show(key: string, block: Block, config: Config) {
    const state = read(key, block)
    if (state === null) return null
    const { owner, executable } = state
    const space = state.data.length
    return { data: encode(state, block, config), executable, lamports: Number(state.lamports), owner, rentEpoch, space }
  }

  function encode(state: AccountState, block: Block, config: Config): unknown {
    const encoding = config['encoding'] ?? 'base58'
    const parsed = encoding === 'jsonParsed' ? parse(state, block) : null
    if (parsed !== null) return { program: 'spl-token', parsed, space: state.data.length }
    const { offset = 0, length = state.data.length } = (config['dataSlice'] ?? {}) as {
      offset?: number
      length?: number
    }
    const data = state.data.subarray(offset, offset + length)
    if (encoding === 'base58') return toBase58(data)
    if (encoding !== 'base64' && encoding !== 'jsonParsed')
      throw invalidParams(`encoding ${String(encoding)} is not known`)
    return [Buffer.from(data).toString('base64'), 'base64']
  }

  function parse(state: AccountState, block: Block): unknown {
    const mint = readMint(state)
    if (mint) {
      const { supply, ...rest } = mint
      return { type: 'mint', info: { ...rest, supply: supply.toString(), isInitialized: true } }
    }
    const account = readTokenAccount(state)
    if (account === null) return null
    const { amount, isFrozen, ...rest } = account
    const tokenAmount = uiAmount(amount, decimalsOf(account.mint, block))
    const stage = isFrozen ? 'frozen' : 'initialized'
    return { type: 'account', info: { ...rest, tokenAmount, state: stage, isNative: false } }
  }

  const decimalsOf = (mint: string, block: Block): number => readMint(read(mint, block))?.decimals ?? 0

  return {
    getAccountInfo(params) {
      const config = configAt(params, 1)
      const block = view(config)
      return inContext(block, show(addressAt(params, 0), block, config))
    },
    getMultipleAccounts(params) {
      const config = configAt(params, 1)
      const block = view(config)
      const keys = listAt(params, 0, accountsMax).map(address)
      return inContext(
        block,
        keys.map((key) => show(key, block, { encoding: 'base64', ...config })),
      )
    },
    getBalance(params) {
      const block = view(configAt(params, 1, 'commitment'))
      return inContext(block, Number(read(addressAt(params, 0), block)?.lamports ?? 0n))
    },
    getTokenAccountBalance(params) {
      const block = view(configAt(params, 1, 'commitment'))
      const account = readTokenAccount(read(addressAt(params, 0), block))
      if (account === null) throw invalidParams('Invalid param: could not find account')
      return inContext(block, uiAmount(account.amount, decimalsOf(account.mint, block)))
    },
    getTokenSupply(params) {
      const block = view(configAt(params, 1, 'commitment'))
      const mint = readMint(read(addressAt(params, 0), block))
      if (mint === null) throw invalidParams('Invalid param: not a Token mint')
      return inContext(block, uiAmount(mint.supply, mint.decimals))
    },
    getTokenAccountsByOwner(params) {
      const owner = addressAt(params, 0)
      const filter = configAt(params, 1)
      const config = configAt(params, 2)
      const block = view(config)
      if (filter['mint'] === undefined && filter['programId'] === undefined) {
        throw invalidParams('Invalid param: a mint or a programId is needed')
      }
      const mint = filter['mint'] === undefined ? null : address(filter['mint'])
      if (mint === null && address(filter['programId']) !== tokenProgram) {
        throw invalidParams('Invalid param: unrecognized Token program id')
      }
      const value = [...ledger.accounts.addresses()].flatMap((key) => {
        const account = readTokenAccount(read(key, block))
        if (account?.owner !== owner || (mint !== null && account.mint !== mint)) return []
        return [{ pubkey: key, account: show(key, block, config) }]
      })
      return inContext(block, value)
    },
    getMinimumBalanceForRentExemption: (params) =>
      Number(ledger.runtime().minimumBalanceForRentExemption(BigInt(wholeAt(params, 0, 'a number of bytes')))),
  }
}
