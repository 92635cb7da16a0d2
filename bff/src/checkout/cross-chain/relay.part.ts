import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createRelay, type Relay } from './relay-provider.ts'
import type { RelaySettings } from './relay-settings.ts'
import { createSources, type Sources } from './sources.ts'

export { createBridgeProgress } from './bridge-progress.ts'

/** The parts of the configured relay. */
export type Bridges = { relay: Relay; sources: Sources; settings: RelaySettings }

/** @returns null if no relay is configured. */
export function openBridges(settings: RelaySettings | null, deps: { runtime: Runtime; log: Log }): Bridges | null {
  if (settings === null) return null
  const relay = createRelay(settings)
  return { relay, settings, sources: createSources({ relay, settings, ...deps }) }
}
