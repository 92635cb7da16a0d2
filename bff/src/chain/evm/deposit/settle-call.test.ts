import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAbiItem,
  getContractError,
  type Hex,
  HttpRequestError,
  type Log,
  parseAbi,
  RawContractError,
} from 'viem'
import { expect, test } from 'vitest'
import { depositFactory, depositForwarder, paymentSplitter } from '../deploy/contracts.generated.ts'
import { depositAddress, toTuple } from './forwarder-address.ts'
import { encodePayParked, parkedRead } from './parked-call.ts'
import { encodeRefund, readRefundLogs, refundCall, refundRefusalOf } from './refund-call.ts'
import { readSettleLogs, refusalOf, settleAbi } from './settle-call.ts'

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`
const [factory, forwarder, other, token, payer] = ['1', '2', '3', '4', '5'].map(addressOf) as [Hex, Hex, Hex, Hex, Hex]

const terms = {
  ...{ chainId: 1, token, amount: 25n, least: 24n, merchant: addressOf('6'), platform: addressOf('7'), feeBps: 150 },
  ...{ deadlineSeconds: 900, operator: addressOf('8'), salt: `0x${'07'.repeat(32)}` as Hex, factory },
}

function logOf(address: Hex, abi: Abi, eventName: string, args: Record<string, unknown>): Log {
  const item = getAbiItem({ abi, name: eventName }) as unknown as {
    inputs: { name: string; type: string; indexed?: boolean }[]
  }
  const inputs = item.inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    inputs,
    inputs.map(({ name }) => args[name]),
  )
  return { address, topics: encodeEventTopics({ abi, eventName, args }), data } as unknown as Log
}
const settled = (address: Hex, merchantAmount: bigint, platformAmount: bigint) =>
  logOf(address, depositForwarder.abi, 'Settled', { merchantAmount, platformAmount })
const parked = (address: Hex) => logOf(address, depositForwarder.abi, 'PlatformShareParked', { token, amount: 1n })
const skipped = (address: Hex, reason: Hex) =>
  logOf(address, depositFactory.abi, 'SettleSkipped', { forwarder: other, reason })

const revertOf = (errorName: string, args: readonly unknown[]) =>
  encodeErrorResult({ abi: settleAbi as Abi, errorName, args })
/** What a node answers to a simulated call that reverts with the data. */
const revertedBy = (data: Hex | undefined, functionName = 'refund') =>
  getContractError(new RawContractError({ data }), {
    ...{ abi: settleAbi as Abi, address: factory, args: [], functionName },
  })

test('a receipt has the amounts of each forwarder, and only its own share is parked', () => {
  const logs = [settled(forwarder, 90n, 3n), parked(other), settled(other, 50n, 2n)]
  expect([...readSettleLogs(logs, factory).settled]).toEqual([
    [forwarder, { merchantAmount: 90n, platformAmount: 3n, isPlatformParked: false }],
    [other, { merchantAmount: 50n, platformAmount: 2n, isPlatformParked: true }],
  ])
})

test('only the factory says that a deposit was skipped, and an unreadable reason is shown as its bytes', () => {
  const isSettled = revertOf('AlreadySettled', [other])
  const skippedBy = (address: Hex, reason: Hex) => [...readSettleLogs([skipped(address, reason)], factory).skipped]
  const already = { isSettled: true, reason: `AlreadySettled(${other})` }
  expect(skippedBy(factory, isSettled)).toEqual([[other, already]])
  expect(skippedBy(forwarder, isSettled)).toEqual([])
  const notCovered = { isSettled: false, reason: 'NotCovered(5, 24)' }
  expect(skippedBy(factory, revertOf('NotCovered', [5n, 24n]))).toEqual([[other, notCovered]])
  expect(skippedBy(factory, '0x')).toEqual([[other, { isSettled: false, reason: 'reverted without a reason' }]])
  expect(skippedBy(factory, '0x12345678')).toEqual([[other, { isSettled: false, reason: '0x12345678' }]])
})

test('a simulated call that reverts is a refusal with the contract’s reason; any other failure is none', () => {
  const already = { isSettled: true, reason: `AlreadySettled(${other})` }
  for (const name of ['settle', 'refund', 'payParked'])
    expect(refusalOf(revertedBy(revertOf('AlreadySettled', [other]), name))).toEqual(already)
  expect(refusalOf(revertedBy(revertOf('NotCovered', [5n, 24n])))).toMatchObject({ isSettled: false })
  expect(
    refusalOf(revertedBy(encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['paused'] }))),
  ).toEqual({ isSettled: false, reason: 'paused' })
  expect(refusalOf(revertedBy('0x12345678'))).toEqual({ isSettled: false, reason: '0x12345678' })
  expect(refusalOf(revertedBy(revertOf('AlreadySettled', [other]), 'forwarderOf'))).toBeUndefined()
  const unreachable = new HttpRequestError({ url: 'http://node.example' })
  const call = { abi: settleAbi as Abi, address: factory, args: [], functionName: 'refund' }
  for (const error of [new Error('the node is down'), getContractError(unreachable, call)])
    expect(refusalOf(error)).toBeUndefined()
})

test('a refused refund says how much could be refunded, where the contract says so', () => {
  expect(refundRefusalOf(revertedBy(revertOf('NotRefundable', [token, 9n, 4n])))).toEqual({
    ...{ error: 'NotRefundable', reason: `NotRefundable(${token}, 9, 4)`, refundable: 4n },
  })
  expect(refundRefusalOf(revertedBy(revertOf('DueTokenMoved', [7n, 5n])))).toEqual({
    ...{ error: 'DueTokenMoved', reason: 'DueTokenMoved(7, 5)', refundable: 0n },
  })
  const unknown = revertedBy('0x12345678')
  expect(refundRefusalOf(unknown)).toEqual({ error: null, reason: '0x12345678', refundable: 0n })
  expect(refundRefusalOf(new Error('the node is down'))).toBeUndefined()
})

test('a refund is sent by the operator of the terms, in the token, to the address and of the amount', () => {
  const call = { terms, token: other, to: payer, amount: 9n }
  const args = [toTuple(terms), other, payer, 9n]
  const simulated = { account: terms.operator, address: factory, functionName: 'refund', args }
  expect(refundCall(call)).toMatchObject(simulated)
  expect(decodeFunctionData({ abi: depositFactory.abi, data: encodeRefund(call) })).toMatchObject({
    ...{ functionName: 'refund', args: [expect.objectContaining({ salt: terms.salt }), other, payer, 9n] },
  })
  const log = logOf(forwarder, depositForwarder.abi, 'Refunded', { token: other, to: payer, amount: 9n })
  expect(readRefundLogs([settled(forwarder, 1n, 1n), log])).toEqual([
    { forwarder, token: other, to: payer, amount: 9n },
  ])
})

test('a parked share is paid where it lies: at a deposit by its terms, at a splitter by token and wallet', () => {
  const place = { splitter: other, token, recipient: payer }
  const ofSplitter = encodePayParked(place)
  expect(ofSplitter.to).toBe(other)
  expect(decodeFunctionData({ abi: paymentSplitter.abi, data: ofSplitter.data })).toEqual({
    ...{ functionName: 'payParked', args: [token, payer] },
  })
  expect(parkedRead(place)).toMatchObject({ address: other, functionName: 'parked', args: [token, payer] })
  const ofDeposit = encodePayParked({ terms })
  expect(ofDeposit.to).toBe(factory)
  expect(decodeFunctionData({ abi: depositFactory.abi, data: ofDeposit.data }).functionName).toBe('payParked')
  expect(parkedRead({ terms })).toMatchObject({
    address: depositAddress(terms, factory),
    functionName: 'parked',
    args: [],
  })
})
