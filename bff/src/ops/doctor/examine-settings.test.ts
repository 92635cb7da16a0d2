import { expect, test } from 'vitest'
import { networkSchema } from '../config/network-schema.ts'
import { examineParts, examineSettings } from './examine-settings.ts'

const platformWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const [one, two] = ['https://rpc.one.example/key', 'https://rpc.two.example/key']

function examine(given: object) {
  const network = networkSchema.parse({ shortName: 'base', rpcUrls: [one], platformWallet, ...given })
  return examineSettings({ networks: new Map([[network.shortName, network]]), webhookTargets: { ports: [443] } })
}

test('one node is a warning on mainnets, and two of one host count as one', () => {
  const lone = {
    check: 'settings',
    subject: 'Base',
    state: 'warning',
    fix: expect.stringContaining('another operator'),
  }
  expect(examine({})).toMatchObject([lone])
  expect(examine({ rpcUrls: [one, 'https://rpc.one.example/other-key'] })).toMatchObject([lone])
  expect(examine({ highValue: { amount: '1000', confirmations: 64 } })).toMatchObject([
    { ...lone, says: expect.stringContaining('highValue') },
  ])
  expect(examine({ rpcUrls: [one, two] })).toEqual([])
  expect(examine({ shortName: 'base-sepolia' })).toEqual([])
})

test('no network, and webhooks to private addresses on mainnets, are warnings', () => {
  expect(examineSettings({ networks: new Map(), webhookTargets: 'any' })).toMatchObject([{ subject: 'networks' }])
  const network = networkSchema.parse({ shortName: 'base', rpcUrls: [one, two], platformWallet })
  expect(examineSettings({ networks: new Map([['base', network]]), webhookTargets: 'any' })).toMatchObject([
    { subject: 'webhookTargets' },
  ])
})

test('the parts that are on and off are named', () => {
  const parts = { dashboard: true, links: true, notices: true, reports: true, stores: false, tools: false, x402: false }
  expect(
    examineParts({
      networks: new Map(),
      database: 'checkout.sqlite',
      relay: null,
      stablezact: null,
      mail: null,
      parts,
    }),
  ).toMatchObject({
    state: 'good',
    says: 'on: links, reports, dashboard, notices; off: solana, tron, relay, stablezact, x402, tools, stores, mail, postgres',
  })
})
