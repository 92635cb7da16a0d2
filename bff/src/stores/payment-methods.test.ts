import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { expect, test } from 'vitest'
import type { Network } from '../core/families.ts'
import { methodsOf } from './payment-methods.ts'

const real = { ...devnetFacts, shortName: 'real', isTestnet: false }
const networks = new Map<string, Network>([devnetFacts, real].map((one) => [one.shortName, one]))
const wallets = new Map([...networks.keys()].map((name) => [name, '0x']))
const namesOf = (of: typeof networks, having: typeof wallets) =>
  methodsOf(of, having).map(({ network }) => network.shortName)

test('a plug-in of a shop names no testnet as a payment method beside real money', () => {
  expect(new Set(namesOf(networks, wallets))).toEqual(new Set(['real']))
  const onTestnet = new Map([...wallets].filter(([name]) => name === 'devnet'))
  expect(new Set(namesOf(networks, onTestnet))).toEqual(new Set(['devnet']))
})

test('nor when the network with real money is removed from the configuration', () => {
  const left = new Map([...networks].filter(([name]) => name === 'devnet'))
  expect(namesOf(left, wallets)).toEqual([])
})
