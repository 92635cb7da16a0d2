import type { Landed, TokenBalance } from './landed.ts'
import type { Block } from './ledger.ts'
import { blockNotAvailable, invalidParams, slotSkipped, unsupportedVersion } from './rpc-error.ts'
import {
  addressAt,
  type Config,
  configAt,
  inContext,
  listAt,
  type Methods,
  type Sight,
  textAt,
  votedCommitmentOf,
  wholeAt,
} from './rpc-params.ts'
import { uiAmount } from './token-account.ts'
import { fromBase58, toBase58 } from './transaction.ts'

const signaturesMax = 1_000
const statusesMax = 256
const blockRangeMax = 500_000
const slotsInEpoch = 432_000

/** Block contents. */
export function ledgerMethods({ ledger, at, view }: Sight): Methods {
  /** The block of that slot, if the call's commitment includes it. */
  function blockAt(slot: number, config: Config): Block {
    if (slot > at(votedCommitmentOf(config)).slot) throw blockNotAvailable(slot)
    const block = ledger.block(slot)
    if (!block) throw slotSkipped(slot)
    return block
  }

  const statusAt = (slot: number) =>
    slot <= at('finalized').slot ? 'finalized' : slot <= at('confirmed').slot ? 'confirmed' : 'processed'

  function slotsIn(from: number, to: number, config: Config): number[] {
    const newest = at(votedCommitmentOf(config)).slot
    const found = ledger.blocks().filter(({ slot }) => slot >= from && slot <= Math.min(to, newest))
    return found.map(({ slot }) => slot)
  }

  return {
    getSlot: (params) => view(configAt(params, 0, 'commitment')).slot,
    getBlockHeight: (params) => view(configAt(params, 0, 'commitment')).height,
    getEpochInfo(params) {
      const { slot, height } = view(configAt(params, 0, 'commitment'))
      const [epoch, slotIndex] = [Math.floor(slot / slotsInEpoch), slot % slotsInEpoch]
      return { absoluteSlot: slot, blockHeight: height, epoch, slotIndex, slotsInEpoch, transactionCount: null }
    },
    getTransactionCount(params) {
      const { slot } = view(configAt(params, 0, 'commitment'))
      return ledger.blocks().reduce((sum, block) => sum + (block.slot <= slot ? block.transactions.length : 0), 0)
    },
    getFirstAvailableBlock: () => ledger.blocks()[0]?.slot ?? 0,
    getBlockTime(params) {
      const slot = wholeAt(params, 0, 'a slot')
      return blockAt(slot, { commitment: 'confirmed' }).timeSeconds
    },
    getBlocks(params) {
      const from = wholeAt(params, 0, 'a slot')
      const hasEnd = typeof params[1] === 'number'
      const config = configAt(params, hasEnd ? 2 : 1, 'commitment')
      const to = hasEnd ? wholeAt(params, 1, 'a slot') : from + blockRangeMax
      if (to - from > blockRangeMax) throw invalidParams(`Slot range too large; max ${blockRangeMax}`)
      return slotsIn(from, to, config)
    },
    getBlocksWithLimit(params) {
      const limit = wholeAt(params, 1, 'a number of blocks')
      return slotsIn(wholeAt(params, 0, 'a slot'), Number.MAX_SAFE_INTEGER, configAt(params, 2)).slice(0, limit)
    },
    getBlock(params) {
      const config = configAt(params, 1)
      const { hash, parentHash, parentSlot, timeSeconds, height, transactions } = blockAt(
        wholeAt(params, 0, 'a slot'),
        config,
      )
      const details = config['transactionDetails'] ?? 'full'
      return {
        blockhash: hash,
        previousBlockhash: parentHash,
        parentSlot,
        blockTime: timeSeconds,
        blockHeight: height,
        ...(details === 'signatures' && { signatures: transactions.map(({ signature }) => signature) }),
        ...(details === 'full' && { transactions: transactions.map((landed) => showTransaction(landed, config)) }),
        ...(config['rewards'] !== false && { rewards: [] }),
      }
    },
    getSignaturesForAddress(params) {
      const config = configAt(params, 1)
      const newest = at(votedCommitmentOf(config)).slot
      view(config)
      const limit = config['limit'] === undefined ? signaturesMax : Number(config['limit'])
      if (!(limit >= 1 && limit <= signaturesMax)) throw invalidParams(`Invalid limit; max ${signaturesMax}`)
      const seen = ledger.landedAt(addressAt(params, 0)).filter(({ slot }) => slot <= newest)
      return between(seen.toReversed(), config)
        .slice(0, limit)
        .map(({ signature, slot, fault, memo, timeSeconds }) => ({
          signature,
          slot,
          memo,
          err: fault,
          blockTime: timeSeconds,
          confirmationStatus: statusAt(slot),
        }))
    },
    getSignatureStatuses(params) {
      const newest = at('processed')
      const value = listAt(params, 0, statusesMax).map((signature) => {
        if (typeof signature !== 'string' || fromBase58(signature).length !== 64) {
          throw invalidParams('Invalid param: Invalid signature')
        }
        const landed = ledger.landed(signature)
        if (!landed || landed.slot > newest.slot) return null
        const { slot, fault } = landed
        const confirmationStatus = statusAt(slot)
        const confirmations =
          confirmationStatus === 'finalized' ? null : newest.height - (ledger.block(slot)?.height ?? 0)
        return { slot, confirmations, confirmationStatus, err: fault, status: resultOf(landed) }
      })
      return inContext(newest, value)
    },
    getTransaction(params) {
      const config = configAt(params, 1)
      const newest = at(votedCommitmentOf(config)).slot
      const landed = ledger.landed(textAt(params, 0, 'a signature'))
      if (!landed || landed.slot > newest) return null
      return { slot: landed.slot, blockTime: landed.timeSeconds, ...showTransaction(landed, config) }
    },
  }
}

/** Transactions older than `before` and newer than `until`, newest first. */
function between(newestFirst: readonly Landed[], { before, until }: Config): readonly Landed[] {
  const first = before === undefined ? -1 : newestFirst.findIndex(({ signature }) => signature === before)
  if (before !== undefined && first === -1) return []
  const rest = newestFirst.slice(first + 1)
  const end = until === undefined ? -1 : rest.findIndex(({ signature }) => signature === until)
  return end === -1 ? rest : rest.slice(0, end)
}

const resultOf = ({ fault }: Landed) => (fault === null ? { Ok: null } : { Err: fault })

const showBalance = ({ amount, decimals, ...rest }: TokenBalance) => ({
  ...rest,
  programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  uiTokenAmount: uiAmount(amount, decimals),
})

function showTransaction(landed: Landed, config: Config) {
  const { version } = landed
  const supported = config['maxSupportedTransactionVersion']
  if (version !== 'legacy' && !(typeof supported === 'number' && supported >= version))
    throw unsupportedVersion(version)
  const asked = config['encoding'] ?? 'json'
  const isParsed = asked === 'jsonParsed'
  const loaded = { writable: landed.loaded.writable.map(String), readonly: landed.loaded.readonly.map(String) }
  const meta = {
    err: landed.fault,
    status: resultOf(landed),
    fee: Number(landed.fee),
    preBalances: landed.preBalances.map(Number),
    postBalances: landed.postBalances.map(Number),
    preTokenBalances: landed.preTokenBalances.map(showBalance),
    postTokenBalances: landed.postTokenBalances.map(showBalance),
    innerInstructions: landed.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: isParsed ? instructions.map((one) => partlyDecoded(one, landed.keys)) : instructions,
    })),
    logMessages: landed.logs,
    computeUnitsConsumed: Number(landed.computeUnits),
    rewards: [],
    ...(!isParsed && { loadedAddresses: loaded }),
  }
  return { transaction: encode(landed, asked), meta, ...(supported !== undefined && { version }) }
}

function encode(landed: Landed, encoding: unknown): unknown {
  const { raw, signatures, message, keys } = landed
  if (encoding === 'base64') return [Buffer.from(raw).toString('base64'), 'base64']
  if (encoding === 'base58') return [toBase58(raw), 'base58']
  if (encoding !== 'json' && encoding !== 'jsonParsed') throw invalidParams(`encoding ${String(encoding)} is not known`)
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: [...accountKeyIndexes],
    data: toBase58(data),
    stackHeight: null,
  }))
  const lookups = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
    accountKey: accountKey.toBase58(),
    writableIndexes,
    readonlyIndexes,
  }))
  const addressTableLookups = message.version === 0 ? { addressTableLookups: lookups } : {}
  const { recentBlockhash } = message
  if (encoding === 'json') {
    const accountKeys = message.staticAccountKeys.map(String)
    return {
      signatures,
      message: { header: message.header, accountKeys, recentBlockhash, instructions, ...addressTableLookups },
    }
  }
  const accountKeys = keys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.header.numRequiredSignatures,
    writable: message.isAccountWritable(index),
    source: index < message.staticAccountKeys.length ? 'transaction' : 'lookupTable',
  }))
  const partly = instructions.map((one) => partlyDecoded(one, keys))
  return { signatures, message: { accountKeys, recentBlockhash, instructions: partly, ...addressTableLookups } }
}

type Compiled = { programIdIndex: number; accounts: readonly number[]; data: string; stackHeight: number | null }

/** A node's format for instructions of programs without a parser; this node has no parsers. */
const partlyDecoded = ({ programIdIndex, accounts, data, stackHeight }: Compiled, keys: readonly string[]) => ({
  programId: keys[programIdIndex],
  accounts: accounts.map((index) => keys[index]),
  data,
  stackHeight,
})
