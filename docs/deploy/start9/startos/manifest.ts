import { setupManifest } from '@start9labs/start-sdk'

const repository = 'https://github.com/stablecoin-checkout/stablecoin-checkout'

export const manifest = setupManifest({
  id: 'stablecoin-checkout',
  title: 'Stablecoin Checkout',
  license: 'MIT',
  packageRepo: repository,
  upstreamRepo: repository,
  marketingUrl: repository,
  donationUrl: null,
  description: {
    short: 'Accept USDC and USDT in your shop',
    long: 'A checkout for USDC and USDT without a payment processor. The service verifies payments on chain, forwards the money to your wallet, and notifies your shop.',
  },
  volumes: ['main'],
  images: {
    main: {
      source: { dockerTag: 'ghcr.io/stablecoin-checkout/stablecoin-checkout:v0.1.0' },
      arch: ['x86_64', 'aarch64'],
    },
  },
  dependencies: {},
})
