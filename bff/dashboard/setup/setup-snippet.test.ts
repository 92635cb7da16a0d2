import { expect, test } from 'vitest'
import { setupSnippet } from './setup-snippet.ts'

const networkOf = (network: string, symbols: readonly string[]) => ({
  ...{ network, symbols, name: network, family: 'evm' as const, isTestnet: false, logo: '' },
  ...{ hasContracts: true, canRelay: false, canChooseDeposits: true, publicNodes: [] },
})

const snippetOf = (currency: string, language = 'en', network = 'base') =>
  setupSnippet(
    {
      origin: 'https://pay.example',
      offered: [networkOf('base', ['USDC']), networkOf('bsc', ['USDT'])],
      answers: {
        owner: null,
        shop: { name: 'Corner Coffee', language, currency, color: null, logo: null },
        networks: [{ network, rpcUrls: [], deposits: 'forwarder', checks: [] }],
        wallets: [],
        account: null,
        options: { relay: false, stores: false, rates: null },
      },
    },
    'pk_live_1',
  )

test('prices in US dollars are amounts of tokens', () => {
  expect(snippetOf('USD')).toBe(`<script type="module" src="https://pay.example/stablecoin-checkout.js"></script>

<stablecoin-checkout public-key="pk_live_1"
  amount="25.00"
  currency="USDC"
  network="base"
  order-id="A-1042"
  lang="en"></stablecoin-checkout>`)
})

test.each([
  ['EUR', '25.00'],
  ['JPY', '2500'],
])('prices in %s are converted, and the element speaks the language of the shop', (currency, price) => {
  const snippet = snippetOf(currency, 'ar')
  expect(snippet).toContain(`price="${price}"\n  price-currency="${currency}"\n  currency="USDC"`)
  expect(snippet).toContain('lang="ar"')
  expect(snippet).not.toContain('amount=')
})

test('the token is one that the network has', () => {
  expect(snippetOf('USD', 'en', 'bsc')).toContain('currency="USDT"\n  network="bsc"')
})
