import { expect, test } from 'vitest'
import { PaymentError } from '../core/errors.ts'
import { silentLog } from '../core/log.ts'
import { createContractDeployments } from './contract-deployments.ts'

const paid = { by: '0x1', amount: 1n }

test('requests at the same time share one deployment of a network, and the next one asks again', async () => {
  const asked: string[] = []
  const ends: (() => void)[] = []
  const deploy = createContractDeployments(
    async (network) => {
      asked.push(network)
      await new Promise<void>((resolve) => ends.push(resolve))
      return { paid }
    },
    { log: silentLog },
  )
  const both = [deploy('base'), deploy('base'), deploy('polygon')]
  expect(asked).toEqual(['base', 'polygon'])
  for (const end of ends) end()
  expect(await Promise.all(both)).toEqual(['deployed', 'deployed', 'deployed'])
  const again = deploy('base')
  expect(asked).toEqual(['base', 'polygon', 'base'])
  ends.at(-1)?.()
  expect(await again).toBe('deployed')
})

test('of slow blocks a request learns that it goes on, and a later one joins it and learns the result', async () => {
  let end = () => {}
  let count = 0
  const deploy = createContractDeployments(
    async () => {
      count += 1
      await new Promise<void>((resolve) => {
        end = resolve
      })
      return { paid }
    },
    { log: silentLog, waitMs: 1 },
  )
  expect(await deploy('base')).toBe('underWay')
  const later = deploy('base')
  end()
  expect(await later).toBe('deployed')
  expect(count).toBe(1)
})

test('says that nothing was missing, hands on a refusal, and logs one that came after the answer', async () => {
  const refusal = new PaymentError('GAS_MISSING', 'holds 0')
  const logged: unknown[] = []
  const log = { ...silentLog, warn: (fields: object) => void logged.push(fields) }
  let fail = () => {}
  const results = [
    () => Promise.resolve({ paid: null }),
    () => Promise.reject(refusal),
    () =>
      new Promise<never>((_, reject) => {
        fail = () => reject(refusal)
      }),
  ]
  const deploy = createContractDeployments(async () => (await results.shift()?.()) ?? { paid: null }, {
    log,
    waitMs: 1,
  })
  expect(await deploy('base')).toBe('present')
  await expect(deploy('base')).rejects.toBe(refusal)
  expect(await deploy('base')).toBe('underWay')
  fail()
  await expect
    .poll(() => logged)
    .toEqual([
      { network: 'base', err: refusal },
      { network: 'base', err: refusal },
    ])
})
