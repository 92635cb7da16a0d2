import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { DuePayout } from '../../../payout/payout-queue-store.ts'
import { formatDepositTerms } from '../deposit/deposit-terms.ts'
import { depositAddress } from '../deposit/forwarder-address.ts'
import type { Refusal } from '../deposit/settle-call.ts'
import { createContext, isReorgPossible, type PayoutContext, type SweeperDeps } from './payout-context.ts'
import { preflightSweeps, readProvenTerms, readTerms } from './preflight.ts'

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`

/** A due sweep of a deposit with these terms, at the address that they produce. */
function sweepOf(id: string, changes: { chainId?: number; factory?: Hex; amount?: bigint } = {}): DuePayout {
  const terms = {
    ...{
      chainId: 1,
      token: addressOf('4'),
      amount: 25n,
      least: 24n,
      merchant: addressOf('6'),
      platform: addressOf('7'),
    },
    ...{ feeBps: 150, deadlineSeconds: 900, operator: addressOf('8'), salt: `0x${'07'.repeat(32)}` as Hex },
    ...{ factory: addressOf('1'), ...changes },
  }
  const place = { depositAddress: depositAddress(terms, terms.factory), depositTerms: formatDepositTerms(terms) }
  return { paymentId: id, ...place } as unknown as DuePayout
}
const idsOf = (sweeps: readonly DuePayout[]) => sweeps.map(({ paymentId }) => paymentId)

test('terms are proven by the address and the chain, whatever the case of the address', () => {
  const sweep = sweepOf('a')
  expect(readProvenTerms(sweep, 1)).toMatchObject({ chainId: 1, amount: 25n })
  expect(readProvenTerms({ ...sweep, depositAddress: sweep.depositAddress.toLowerCase() }, 1)).toMatchObject({})
  expect(() => readProvenTerms(sweep, 2)).toThrow('The terms are of chain 1, the network is 2')
  const changed = { ...sweep, depositTerms: sweepOf('a', { amount: 26n }).depositTerms }
  expect(() => readProvenTerms(changed, 1)).toThrow('The terms are of 0x')
})

test('a deposit whose terms cannot be read is refused with the reason, and keeps no other from its sweep', () => {
  const broken = { ...sweepOf('broken'), depositTerms: '{}' }
  const { readable, refused } = readTerms([broken, sweepOf('other chain', { chainId: 2 }), sweepOf('good')], 1)
  expect(idsOf(readable)).toEqual(['good'])
  expect(refused.map(({ paymentId, isSettled }) => [paymentId, isSettled])).toEqual([
    ['broken', false],
    ['other chain', false],
  ])
})

test('a pass sweeps the deposits of one factory, except those that are settled already', async () => {
  const asked: string[][] = []
  const context = {
    network: { chainId: 1 },
    sender: {
      refusals: async (factory: string, batch: object[]): Promise<(Refusal | undefined)[]> => {
        asked.push([factory, String(batch.length)])
        return [undefined, { isSettled: true, reason: 'AlreadySettled()' }, undefined]
      },
    },
  } as unknown as PayoutContext
  const due = [
    sweepOf('first'),
    sweepOf('other factory', { factory: addressOf('2') }),
    sweepOf('settled', { amount: 30n }),
    sweepOf('last', { amount: 31n }),
  ]
  const { failed, ready, settled } = await preflightSweeps(context, due)
  expect(asked).toEqual([[addressOf('1'), '3']])
  expect([idsOf(ready), idsOf(settled), failed]).toEqual([['first', 'last'], ['settled'], 0])
})

test('a former operator has a context of its own, once, and reports no gas balance', () => {
  const signer = (address: string) => ({ address }) as SweeperDeps['signer']
  const formerSigners = [signer(addressOf('A')), signer(addressOf('b')), signer(addressOf('B'))]
  const gasBalances = {} as NonNullable<SweeperDeps['gasBalances']>
  const deps = { signer: signer(addressOf('a')), formerSigners, gasBalances } as unknown as SweeperDeps
  const context = createContext(deps)
  expect([...context.formers.keys()]).toEqual([addressOf('b')])
  expect(context.gasBalances).toBe(gasBalances)
  expect(context.formers.get(addressOf('b'))).not.toHaveProperty('gasBalances')
})

test('a reorg is possible where finality is deeper than the confirmations', () => {
  const reorgs = (finalityBlocks: number | undefined) =>
    isReorgPossible({ network: { confirmations: 12, finalityBlocks } } as unknown as PayoutContext)
  expect([reorgs(13), reorgs(12), reorgs(undefined)]).toEqual([true, false, false])
})
