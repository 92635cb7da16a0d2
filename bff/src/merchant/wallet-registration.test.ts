import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { expect, test } from 'vitest'
import { readRegistration, verifyRegistration } from './wallet-registration.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const wallet = { network: 'devnet', address, source: '0x58e21090' }

function registrations(readMaster: () => Promise<string | null | undefined>) {
  const faults: string[] = []
  const onFault = (_: string, fault: string) => void faults.push(fault)
  return { networks: new Map([['devnet', devnetFacts]]), readMaster, onFault, faults }
}

test('only a wallet that is registered for its own id becomes a merchant’s', async () => {
  const state = (master: string | null | undefined) =>
    readRegistration(
      registrations(async () => master),
      wallet,
    )
  expect([await state(address.toLowerCase()), await state(null), await state(other), await state(undefined)]).toEqual([
    'registered',
    'missing',
    'other',
    undefined,
  ])
  const verify = (master: string | null | undefined) =>
    verifyRegistration(
      registrations(async () => master),
      wallet,
    )
  for (const good of [address, undefined]) await expect(verify(good)).resolves.toBeUndefined()
  for (const wrong of [null, other])
    await expect(verify(wrong)).rejects.toMatchObject({ code: 'WALLET_NOT_REGISTERED' })
})

test('a wallet of which no node answers becomes no merchant’s, and one without an id needs no node', async () => {
  const down = registrations(() => Promise.reject(new Error('refused')))
  await expect(verifyRegistration(down, { ...wallet, source: null })).resolves.toBeUndefined()
  await expect(verifyRegistration(down, wallet)).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' })
  expect(down.faults).toEqual([expect.stringContaining('refused')])
})
