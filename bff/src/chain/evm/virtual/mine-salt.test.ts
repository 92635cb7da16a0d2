import { expect, test } from 'vitest'
import { mineSalt } from './mine-salt.ts'
import { masterIdOf } from './virtual-address.ts'

/** The example of ox's documentation of TIP-1022. */
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = 0xabf52bafn

const { signal } = new AbortController()

test('the search finds the salt, and reports after each segment where it can continue', async () => {
  const tried: bigint[] = []
  const from = salt - 25_000n
  const onTried = async (next: bigint) => void tried.push(next)
  const mined = await mineSalt({ wallet, from, signal, onTried, workers: 2, segment: 10_000 })
  expect(mined).toEqual({ salt: `0x${'0'.repeat(56)}abf52baf`, masterId: '0x58e21090' })
  expect(masterIdOf(wallet, mined.salt)).toBe(mined.masterId)
  expect(tried).toEqual([from + 10_000n, from + 20_000n])
})

test('a stopped search continues from its last note, and misses no salt', async () => {
  const first = new AbortController()
  let noted = salt - 15_000n
  const stopped = mineSalt({
    wallet,
    from: noted,
    signal: first.signal,
    async onTried(next) {
      noted = next
      first.abort(new Error('Stopped by the person'))
    },
    workers: 2,
    segment: 10_000,
  })
  await expect(stopped).rejects.toThrow('Stopped by the person')
  expect(noted).toBe(salt - 5_000n)
  const mined = await mineSalt({ wallet, from: noted, signal, onTried: async () => {}, workers: 2, segment: 10_000 })
  expect(mined.masterId).toBe('0x58e21090')
})
