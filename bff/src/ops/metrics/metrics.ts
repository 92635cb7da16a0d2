import { collectDefaultMetrics } from 'prom-client'
import type { Log } from '../../core/log.ts'
import type { Config } from '../config/config.ts'
import { createGauges } from './gauges.ts'
import { listenForMetrics, type MetricsServer } from './server.ts'

type Deps = Parameters<typeof createGauges>[0] & { log: Log }

/** Opens the operator's port where the configuration has one. @returns undefined where it has none. */
export async function openMetrics(settings: Config['metrics'], deps: Deps): Promise<MetricsServer | undefined> {
  if (settings === null) return undefined
  const { registry } = deps.meter
  // The process itself: memory, CPU, open files, and how late the event loop is.
  collectDefaultMetrics({ register: registry })
  const look = createGauges(deps)
  const read = async () => {
    await look()
    return await registry.metrics()
  }
  return await listenForMetrics(settings, { read, contentType: registry.contentType, ...deps })
}
