import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { CommitUnknownError, DatabaseUnavailableError } from '../db/unavailable.ts'
import type { Fault } from '../network/network-health.ts'
import { watchLoop } from './watch-loop.ts'

/** Passes that fail with these errors, one after the other. @returns the reported faults. */
async function reportedOf(errors: readonly Error[]): Promise<(Fault | undefined)[]> {
  const reported: (Fault | undefined)[] = []
  const end = new AbortController()
  const left = [...errors]
  const pass = async () => {
    const error = left.shift()
    if (left.length === 0) end.abort()
    throw error
  }
  const network = { ...devnetFacts, explorerUrl: 'https://scan.example', pollMs: 1 }
  await watchLoop({ network, pass, report: (fault) => void reported.push(fault), log: silentLog }, end.signal)
  return reported
}

const times = (count: number, make: () => Error) => Array.from({ length: count }, make)

test('a network whose nodes fail three times in a row is no longer offered', async () => {
  const reported = await reportedOf(times(4, () => new Error('no answer')))
  expect(reported).toMatchObject([{ kind: 'unreachable', reason: 'No node of Devnet returns a usable response.' }])
})

test('an unavailable database is no fault of the network: requests get 503 meanwhile, and passes continue', async () => {
  expect(await reportedOf(times(6, () => new DatabaseUnavailableError()))).toEqual([])
  expect(await reportedOf(times(6, () => new CommitUnknownError()))).toEqual([])
})
