import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test, vi } from 'vitest'
import type { Sponsor } from '../../chain/authorization.ts'
import type { DepositPayment, PaymentId } from '../../payment/payment.ts'
import { createTokenAccountWaits } from './token-account-waits.ts'

const running = new AbortController().signal
const longMs = 600_000

let count = 0
const payment = (changes: Partial<DepositPayment> = {}): DepositPayment => {
  count += 1
  return newPayment({ id: `payment ${count}` as PaymentId, ...changes })
}

/** A sponsor whose answers come from `isReady`. */
const sponsorOf = (isReady: Sponsor['isReady']) => ({ isReady }) as Sponsor

/** A sponsor that answers when `end` is called. */
function slowSponsor() {
  const waiting: (() => void)[] = []
  const isReady = vi.fn(
    () =>
      new Promise<boolean>((resolve) => {
        waiting.push(() => resolve(true))
      }),
  )
  return { sponsor: sponsorOf(isReady), isReady, endFirst: () => waiting.shift()?.() }
}

test('a transfer can arrive as soon as the token account exists', async () => {
  const isReady = vi
    .fn()
    .mockResolvedValueOnce(false)
    .mockRejectedValueOnce(new Error('no node'))
    .mockResolvedValue(true)
  expect(await createTokenAccountWaits(running, longMs)(sponsorOf(isReady), payment(), null)).toBe(true)
  expect(isReady).toHaveBeenCalledTimes(3)
})

test('the wait ends in time, and when the service stops, also while no node answers', async () => {
  const never = sponsorOf(async () => false)
  expect(await createTokenAccountWaits(running, -1)(never, payment(), null)).toBe(false)
  expect(await createTokenAccountWaits(AbortSignal.abort(), longMs)(never, payment(), null)).toBe(false)
  const noNode = sponsorOf(async () => {
    throw new Error('no node')
  })
  expect(await createTokenAccountWaits(running, -1)(noNode, payment(), null)).toBe(false)
})

test('all requests for one payment share its wait, and a later one begins anew', async () => {
  const { sponsor, isReady, endFirst } = slowSponsor()
  const wait = createTokenAccountWaits(running, longMs)
  const one = payment()
  const answers = [wait(sponsor, one, 'first'), wait(sponsor, one, 'second'), wait(sponsor, one, null)]
  expect(isReady).toHaveBeenCalledTimes(1)
  endFirst()
  expect(await Promise.all(answers)).toEqual([true, true, true])
  const again = wait(sponsor, one, null)
  endFirst()
  expect(await again).toBe(true)
  expect(isReady).toHaveBeenCalledTimes(2)
})

test.each<[string, string | null, number]>([
  ['client waits for five', 'client', 5],
  ['merchant’s server waits for twenty', null, 20],
])('a %s payments at most, and for another when one of them has ended', async (_, client, most) => {
  const { sponsor, isReady, endFirst } = slowSponsor()
  const wait = createTokenAccountWaits(running, longMs)
  const started = Array.from({ length: most }, () => wait(sponsor, payment(), client))
  const refused = wait(sponsor, payment(), client)
  expect(isReady).toHaveBeenCalledTimes(most)
  expect(await refused).toBe(false)
  endFirst()
  expect(await started[0]).toBe(true)
  const next = wait(sponsor, payment(), client)
  expect(isReady).toHaveBeenCalledTimes(most + 1)
  for (let left = 0; left < most; left++) endFirst()
  expect(await next).toBe(true)
})

test('a merchant whose waits are taken takes none from another', async () => {
  const { sponsor, endFirst } = slowSponsor()
  const wait = createTokenAccountWaits(running, longMs)
  for (let taken = 0; taken < 20; taken++) void wait(sponsor, payment(), null)
  const other = wait(sponsor, payment({ merchantId: 'other' as DepositPayment['merchantId'] }), null)
  for (let left = 0; left <= 20; left++) endFirst()
  expect(await other).toBe(true)
})
