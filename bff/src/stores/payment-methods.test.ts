import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { expect, test } from 'vitest'
import type { Network } from '../core/families.ts'
import { methodsOf } from './payment-methods.ts'

test('a plug-in of a shop names no testnet as a payment method beside real money', () => {
  const wallets = new Map([
    ['devnet', '0x'],
    ['real', '0x'],
  ])
  const real = { ...devnetFacts, shortName: 'real', isTestnet: false }
  const networks = new Map<string, Network>([devnetFacts, real].map((one) => [one.shortName, one]))
  const namesOf = (of: typeof networks) => new Set(methodsOf(of, wallets).map(({ network }) => network.shortName))
  expect(namesOf(networks)).toEqual(new Set(['real']))
  const alone = new Map([...networks].filter(([name]) => name !== 'real'))
  expect(namesOf(alone)).toEqual(new Set(['devnet']))
})
