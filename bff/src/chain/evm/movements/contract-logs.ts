import { type Address, type GetLogsReturnType, getAbiItem } from 'viem'
import { coinAddress } from '../../../payment/unmatched.ts'
import { addressTopic } from '../../event-topic.ts'
import type { Movement } from '../../movements.ts'
import { depositForwarder, paymentSplitter } from '../deploy/contracts.generated.ts'
import { type EvmPool, poolReader } from '../rpc/evm-pool.ts'

/** Events of money leaving a deposit address, and of shares parked at the splitter. */
const events = [
  getAbiItem({ abi: depositForwarder.abi, name: 'Settled' }),
  getAbiItem({ abi: depositForwarder.abi, name: 'Refunded' }),
  getAbiItem({ abi: depositForwarder.abi, name: 'PlatformShareParked' }),
  getAbiItem({ abi: depositForwarder.abi, name: 'PlatformSharePaid' }),
  getAbiItem({ abi: paymentSplitter.abi, name: 'ShareParked' }),
  getAbiItem({ abi: paymentSplitter.abi, name: 'ParkedPaid' }),
] as const

type ContractLog = GetLogsReturnType<undefined, typeof events, true>[number]

/** A wallet payment's share that its recipient could not receive. Addresses in lower case. */
export type ParkedShare = {
  isPaid: boolean
  txId: string
  logIndex: number
  block: number
  timeMs: number
  splitter: string
  token: string
  recipient: string
}

export type ContractLogs = { movements: { topic: string; movement: Movement }[]; parked: ParkedShare[] }

type Deps = {
  pool: EvmPool
  isOurs: (topic: string) => boolean
  isSplitter: (address: string) => boolean
  /** The token of the payment at a deposit address; the settlement's event omits it. */
  homeToken: (topic: string) => string
  timeOf: (block: number) => Promise<number>
  signal: AbortSignal
}

/** Reads the events of deposit addresses and splitters; keeps only those of this service. */
export function createContractLogReader({ pool, isOurs, isSplitter, homeToken, timeOf, signal }: Deps) {
  const client = poolReader(pool, signal)

  /** @param contracts - Undefined when there are too many to filter by: reads all contracts. */
  return async function readContractLogs(
    { from, to }: { from: number; to: number },
    contracts: readonly string[] | undefined,
  ): Promise<ContractLogs> {
    const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
    const address = contracts as Address[] | undefined
    const logs = await client.getLogs({ ...range, ...(address && { address }), events, strict: true })
    const parkedFees = new Set(
      logs
        .filter((log) => log.eventName === 'PlatformShareParked')
        .map((log) => `${log.transactionHash} ${log.address.toLowerCase()}`),
    )
    const found: ContractLogs = { movements: [], parked: [] }
    for (const log of logs) {
      const topic = addressTopic(log.address)
      const splitter = log.address.toLowerCase()
      if (log.removed || !(isOurs(topic) || isSplitter(splitter))) continue
      const place = {
        txId: log.transactionHash,
        logIndex: log.logIndex,
        block: Number(log.blockNumber),
        timeMs: await timeOf(Number(log.blockNumber)),
      }
      if (log.eventName === 'ShareParked' || log.eventName === 'ParkedPaid') {
        const { token, recipient } = log.args
        const isPaid = log.eventName === 'ParkedPaid'
        const names = { token: token.toLowerCase(), recipient: recipient.toLowerCase() }
        if (isSplitter(splitter)) found.parked.push({ ...place, ...names, splitter, isPaid })
        continue
      }
      const isFeeParked = parkedFees.has(`${log.transactionHash} ${splitter}`)
      const movement = forwarderMovement(log, { ...place, token: homeToken(topic) }, isFeeParked)
      if (movement && isOurs(topic)) found.movements.push({ topic, movement })
    }
    return found
  }
}

type Place = Pick<Movement, 'txId' | 'logIndex' | 'block' | 'timeMs' | 'token'>

function forwarderMovement(log: ContractLog, place: Place, isFeeParked: boolean): Movement | undefined {
  switch (log.eventName) {
    case 'Settled': {
      const { merchantAmount, platformAmount: feeAmount } = log.args
      return { ...place, kind: 'settled', merchantAmount, feeAmount, isFeeParked }
    }
    case 'PlatformSharePaid':
      return { ...place, kind: 'feePaid', amount: log.args.amount }
    case 'Refunded': {
      const { token, to, amount } = log.args
      return { ...place, token: token === coinAddress ? coinAddress : token, kind: 'sentBack', to, amount }
    }
    default:
      return undefined
  }
}
