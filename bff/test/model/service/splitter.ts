import { paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { type SplitDetails, splitHash } from '@stablecoin-checkout/bff/testing/evm'
import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbiParameters,
} from 'viem'
import { chainId, type Execution, type Log, move, Revert, tryMove } from './contracts.ts'

const { abi } = paymentSplitter
export const splitter = paymentSplitter.address as Hex
const wholeBps = 10_000n

const announcedTypes = parseAbiParameters(
  'uint256, string, uint256, address, address, address, uint256, uint256, uint256',
)

/** Where the splitter keeps what a recipient could not receive. */
export const parkedKey = (token: string, recipient: string): string => `${splitter} ${token} ${recipient}`.toLowerCase()

/**
 * `PaymentSplitter`: the two calls with which the payer's own wallet pays, and paying parked shares. Allowances are not modelled.
 */
export async function runSplitter(run: Execution, data: Hex): Promise<void> {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName === 'splitPayment') return split(run, args[0])
  if (functionName === 'payParked') return payParked(run, ...args)
  if (functionName !== 'splitPaymentBefore') throw new Error(`The model has no ${functionName}`)
  const [details, deadline] = args
  const seconds = BigInt(Math.floor(run.timeMs / 1_000))
  if (seconds > deadline) throw new Revert(abi as Abi, 'DeadlinePassed', [deadline, seconds])
  return split(run, details)
}

function split(run: Execution, details: SplitDetails): void {
  const { token, amount } = details
  const hash = splitHash(chainId, splitter, details)
  const mark = `paid ${hash}`
  if (run.state.used.has(mark)) throw new Revert(abi as Abi, 'PaymentIdAlreadyUsed', [hash])
  run.state.used.add(mark)
  const share2 = (amount * details.recipient2Percentage) / wholeBps
  const share3 = (amount * details.recipient3Percentage) / wholeBps
  move(run, token, run.from, details.recipient1, amount - share2 - share3)
  if (share2 > 0n) payOrPark(run, token, details.recipient2, share2)
  if (share3 > 0n) payOrPark(run, token, details.recipient3, share3)
  run.logs.push(announced(run.from, hash, details))
}

function payOrPark(run: Execution, token: Hex, recipient: Hex, share: bigint): void {
  if (tryMove(run, token, run.from, recipient, share)) return
  move(run, token, run.from, splitter, share)
  const key = parkedKey(token, recipient)
  run.state.parked.set(key, (run.state.parked.get(key) ?? 0n) + share)
  run.logs.push(parkedLog('ShareParked', token, recipient, share))
}

function payParked(run: Execution, token: Hex, recipient: Hex): void {
  const amount = run.state.parked.get(parkedKey(token, recipient)) ?? 0n
  if (amount === 0n) throw new Revert(abi as Abi, 'NothingParked', [token, recipient])
  run.state.parked.delete(parkedKey(token, recipient))
  run.logs.push(parkedLog('ParkedPaid', token, recipient, amount))
  move(run, token, splitter, recipient, amount)
}

function parkedLog(eventName: 'ShareParked' | 'ParkedPaid', token: Hex, recipient: Hex, amount: bigint): Log {
  const topics = encodeEventTopics({ abi, eventName, args: { token, recipient } }) as Hex[]
  return { address: splitter, topics, data: encodeAbiParameters([{ type: 'uint256' }], [amount]) }
}

function announced(payer: Hex, termsHash: Hex, details: SplitDetails): Log {
  const { token, amount, paymentId, recipient1, recipient2, recipient3 } = details
  const { recipient1Percentage, recipient2Percentage, recipient3Percentage } = details
  const topics = encodeEventTopics({ abi, eventName: 'PaymentSplit', args: { payer, termsHash, token } }) as Hex[]
  const shares = [recipient1Percentage, recipient2Percentage, recipient3Percentage] as const
  const values = [amount, paymentId, amount, recipient1, recipient2, recipient3, ...shares] as const
  return { address: splitter, topics, data: encodeAbiParameters(announcedTypes, values) }
}
