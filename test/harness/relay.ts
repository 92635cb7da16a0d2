import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createRelayEmulator } from '@stablecoin-checkout/rig/devnet/relay/emulator'
import type { Switches } from '@stablecoin-checkout/rig/devnet/relay/switches'
import type { DevnetFacts } from './global-setup.ts'
import { listen } from './listen.ts'

/** The demo's Relay emulator on the story's chains, with its switches. */
export async function openRelay({ networks }: DevnetFacts) {
  const faults: string[] = []
  const emulator = createRelayEmulator({ networks, pauseMs: 25, report: (sentence) => faults.push(sentence) })
  const { origin, close } = await listen(createServer(getRequestListener(emulator.fetch)))
  const stopping = new AbortController()
  const working = emulator.run(stopping.signal)

  async function put(switches: object): Promise<void> {
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(switches),
    }
    const { status } = await fetch(`${origin}/emulator/switches`, init)
    if (status !== 200) throw new Error(`The emulator answered ${status}`)
  }

  return {
    url: origin,
    faults,
    orders: () => [...emulator.orders.values()],
    /** Omitted switches are reset. */
    misbehaves: (switches: Partial<Switches>) => put(switches),
    behaves: () => put({}),
    /** Ends a delay. */
    goesOn(): void {
      for (const order of emulator.orders.values()) order.readyAtMs = 0
    },
    async close(): Promise<void> {
      stopping.abort()
      await working
      await close()
    },
  }
}
