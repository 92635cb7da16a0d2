import { expect, test } from 'vitest'
import type { Network } from '../core/families.ts'
import { silentLog } from '../core/log.ts'
import { createNetworkHealth, type Fault, verifyPayable } from './network-health.ts'

const network = { shortName: 'devnet' } as Network
const wrong: Fault = { kind: 'wrong', reason: 'The node is on chain 1.' }
const unreachable: Fault = { kind: 'unreachable', reason: 'No node answers.', detail: 'https://key@node refused' }
const pauses = { wrong: 1, unreachableFirst: 1, unreachableMax: 2 }

function play(faults: (Fault | undefined)[]) {
  const told: object[] = []
  const log = { debug: () => {}, error: () => {}, info: () => {}, warn: (fields: object) => void told.push(fields) }
  let looks = 0
  const verify = async () => faults[Math.min(looks++, faults.length - 1)]
  return { health: createNetworkHealth(log, pauses), verify, told, looks: () => looks }
}

test('a network that nobody has looked at cannot be paid on: whoever asks is told to come back', () => {
  const { health } = play([undefined])
  expect(health.get('devnet')).toEqual({ isPayable: false, reason: expect.any(String) })
  const refused = (status: number) => expect.objectContaining({ code: 'NETWORK_UNAVAILABLE', status })
  expect(() => verifyPayable('devnet', health)).toThrow(refused(503))
  expect(() => verifyPayable('devnet', health)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }))
  health.report(network, wrong)
  expect(() => verifyPayable('devnet', health)).toThrow(refused(400))
  health.report(network, undefined)
  expect(() => verifyPayable('devnet', health)).not.toThrow()
})

test('a network comes in by itself when it is good, and its reason is logged once as long as it is the same', async () => {
  const { health, verify, told, looks } = play([unreachable, unreachable, wrong, undefined])
  expect(await health.untilPayable(network, verify, new AbortController().signal)).toBe(true)
  expect(health.get('devnet')).toEqual({ isPayable: true, reason: null })
  expect(looks()).toBe(4)
  expect(told).toMatchObject([{ reason: unreachable.reason }, { reason: wrong.reason }])
})

test('the pauses while no node answers grow up to a bound: a node that is back is noticed within it', async () => {
  const outage = [...Array.from({ length: 20 }, () => unreachable), undefined]
  const { health, verify, looks } = play(outage)
  // Without the bound it would take a quarter of an hour.
  expect(await health.untilPayable(network, verify, AbortSignal.timeout(10_000))).toBe(true)
  expect(looks()).toBe(21)
})

test('what the configuration leaves out cannot be paid on, and is no warning', () => {
  const { health, told } = play([])
  health.report(network, { kind: 'off', reason: 'Devnet takes deposits only.' })
  expect(health.get('devnet')).toEqual({ isPayable: false, reason: 'Devnet takes deposits only.' })
  expect(told).toEqual([])
})

test('who waits for the first verification goes on after it, though the network stays out', async () => {
  const { health, verify } = play([wrong])
  const stopping = new AbortController()
  let end: Promise<boolean> | undefined
  await new Promise<void>((looked) => {
    end = health.untilPayable(network, verify, stopping.signal, looked)
  })
  expect(health.get('devnet')).toEqual({ isPayable: false, reason: wrong.reason })
  stopping.abort()
  expect(await end).toBe(false)
})

test('the stop ends the wait at once', async () => {
  const stopping = new AbortController()
  // Longer than a test may take.
  const health = createNetworkHealth(silentLog, { ...pauses, wrong: 3_600_000 })
  let end: Promise<boolean> | undefined
  await new Promise<void>((looked) => {
    end = health.untilPayable(network, async () => wrong, stopping.signal, looked)
  })
  stopping.abort()
  expect(await end).toBe(false)
})

test('a verification that ends after the stop brings nothing in', async () => {
  const { health } = play([])
  const stopping = new AbortController()
  const verify = async () => stopping.abort() as undefined
  expect(await health.untilPayable(network, verify, stopping.signal)).toBe(false)
  expect(health.get('devnet').isPayable).toBe(false)
})

test('what the operator must repair is looked at in pauses of its own, however short those of an outage are', async () => {
  const { verify, looks } = play([wrong])
  const health = createNetworkHealth(silentLog, { ...pauses, wrong: 3_600_000 })
  expect(await health.untilPayable(network, verify, AbortSignal.timeout(200))).toBe(false)
  expect(looks()).toBe(1)
})
