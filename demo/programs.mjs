import { fileURLToPath } from 'node:url'
import { bundleDevnet, bundlePrograms } from '@stablecoin-checkout/rig/processes/programs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Bundles the demo's programs into `dist/`, and those of its devnet. */
export async function bundleDemo() {
  await bundleDevnet()
  const sources = {
    main: path('main.ts'),
    storefront: path('server.ts'),
    relay: fileURLToPath(import.meta.resolve('@stablecoin-checkout/rig/devnet/relay/server')),
    balancer: path('balancer/server.ts'),
  }
  await bundlePrograms(sources, path('dist'))
}
