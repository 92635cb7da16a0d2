import { settingsFor } from '@stablecoin-checkout/rig/relay-stage'
import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { RelayDownError } from './relay-faults.ts'
import type { RelayChain } from './relay-provider.ts'
import { relaySetting, resolveRelay } from './relay-settings.ts'
import { createSources } from './sources.ts'

const token = (symbol: string, last: string) => ({ symbol, decimals: 6, address: `0x${last.padStart(40, '0')}` })
const chain = (id: number, tokens: RelayChain['tokens']): RelayChain => ({
  ...{ id, name: `Chain ${id}`, explorerUrl: null, isEvm: true, isEnabled: true, tokens, paysAnyToken: false },
})
const all = [
  chain(1, [token('USDC', 'a'), token('DEGEN', 'b')]),
  chain(2, [token('USDT', 'c')]),
  chain(3, [token('DEGEN', 'd')]),
]

function openSources(answers: (RelayChain[] | Error)[], settings: object = {}) {
  const story = { nowMs: 0, asked: 0 }
  const runtime = { ...systemRuntime, nowMs: () => story.nowMs }
  const chains = async () => {
    const answer = answers[Math.min(story.asked, answers.length - 1)] ?? []
    story.asked += 1
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    story,
    sources: createSources({
      ...{ relay: { chains }, runtime, log: silentLog },
      settings: settingsFor('https://relay.example', settings),
    }),
  }
}
const shown = (list: { chainId: number; tokens: readonly { symbol: string }[] }[]) =>
  list.map(({ chainId, tokens }) => `${chainId} ${tokens.map(({ symbol }) => symbol).join(' ')}`)
const down = new RelayDownError('down')
const minuteMs = 60_000

test('what a customer can pay with is what the bridge has and the configuration lets it', async () => {
  expect(shown(await openSources([all]).sources.list())).toEqual(['1 USDC', '2 USDT'])
  const narrow = { sources: [{ chainId: 1 }, { chainId: 3, currencies: ['degen'] }] }
  expect(shown(await openSources([all], narrow).sources.list())).toEqual(['1 USDC', '3 DEGEN'])
  await expect(openSources([all], narrow).sources.find(2, 'USDT')).rejects.toMatchObject({
    code: 'ORIGIN_NOT_SUPPORTED',
  })
})

test('the bridge is asked once by all who ask at once, and again after ten minutes', async () => {
  const { story, sources } = openSources([all, all.slice(0, 1)])
  await Promise.all([sources.list(), sources.list(), sources.find(1, 'USDC')])
  expect(story.asked).toBe(1)
  story.nowMs = 10 * minuteMs
  await sources.list()
  await expect.poll(async () => shown(await sources.list())).toEqual(['1 USDC'])
  expect(story.asked).toBe(2)
})

test('while the bridge is down its last list holds for an hour, and then it is said', async () => {
  const { story, sources } = openSources([all, down])
  await sources.list()
  story.nowMs = 60 * minuteMs
  expect(await sources.list()).toHaveLength(2)
  story.nowMs += 1
  await expect(sources.list()).rejects.toMatchObject({ code: 'BRIDGE_UNAVAILABLE', status: 503 })
})

test('a bridge that failed is asked again after five seconds, however many wait', async () => {
  const { story, sources } = openSources([down, all])
  for (let call = 0; call < 5; call++) await expect(sources.list()).rejects.toMatchObject({ status: 503 })
  expect(story.asked).toBe(1)
  story.nowMs = 5_000
  expect(await sources.list()).toHaveLength(2)
})

test('where the money can go is what the bridge pays out', async () => {
  const everywhere = { ...chain(4, []), paysAnyToken: true }
  const { sources } = openSources([[...all, everywhere, { ...everywhere, id: 5, isEnabled: false }]])
  const any = token('X', 'f').address
  expect([await sources.reaches(1, token('', 'A').address), await sources.reaches(1, any)]).toEqual([true, false])
  expect([await sources.reaches(4, any), await sources.reaches(9, any)]).toEqual([true, false])
  expect(await sources.reaches(5, any), 'a chain that the bridge has closed').toBe(false)
})

test('the setting asks nobody by plain http, and says what it lacks', () => {
  const faults = (setting: object) => relaySetting.safeParse(setting).error?.issues.map(({ message }) => message)
  expect(faults({ baseUrl: 'http://relay.example' })).toEqual([expect.stringContaining('https')])
  expect(faults({ baseUrl: 'http://127.0.0.1:1' })).toBeUndefined()
  expect(faults({ minimumAmount: '0' })).toEqual(['must be more than zero'])
  expect(faults({ recoveryAddress: 'me' })).toEqual([expect.stringContaining('address')])
  const mistyped = '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'
  expect(faults({ recoveryAddress: mistyped })).toEqual([expect.stringContaining('with its checksum')])
  expect(faults({ recoveryAddress: `0x${'0'.repeat(40)}` })).toEqual([expect.stringContaining('zero address')])
  expect(resolveRelay(relaySetting.parse({}), undefined)).toMatchObject({
    ...{ baseUrl: 'https://api.relay.link', apiKey: null, sources: null, currencies: ['USDC', 'USDT'] },
  })
  expect(resolveRelay(undefined, 'key')).toBeNull()
})
