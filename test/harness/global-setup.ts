import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import type { TestProject } from 'vitest/node'
import { buildWhatIsOld } from '../../demo/build.mjs'
import { reserveFailingService } from './failing-service.mjs'

/** What stories know of the devnet: everything but its handles. */
export type DevnetFacts = Pick<Devnet, 'networks' | 'solana' | 'customer' | 'operator' | 'tokenOwner'>

declare module 'vitest' {
  interface ProvidedContext {
    devnet: DevnetFacts
  }
}

/** One devnet for the whole run, without a block time: a story sees only the blocks that it makes. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  buildWhatIsOld((text) => process.stdout.write(`${text}\n`))
  const removeFailingService = reserveFailingService()
  const dataDir = mkdtempSync(join(tmpdir(), 'stories-devnet-'))
  const first = await freePort()
  const devnet = await startDevnet({
    dataDir,
    ports: [first, await freePort([first])],
    blockTimeSeconds: null,
    // No story kills a chain.
    keepsState: false,
    onLog: (sentence) => process.stdout.write(`${sentence}\n`),
  })
  const { networks, solana, customer, operator, tokenOwner } = devnet
  provide('devnet', { networks, solana, customer, operator, tokenOwner })
  return async () => {
    await devnet.stop()
    removeFailingService()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
