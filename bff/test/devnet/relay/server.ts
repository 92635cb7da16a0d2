import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { host } from '../../processes/ports.ts'
import { createRelayEmulator, type RelayEmulatorOptions } from './emulator.ts'

/** Configuration of the emulator's process. */
export type RelayConfig = Pick<RelayEmulatorOptions, 'networks' | 'statePath'> & { port: number }

const path = process.env['RELAY_CONFIG']
if (path === undefined) throw new Error('RELAY_CONFIG must name the config file; `npm run demo` writes it.')

// The demo of the same version has just written the file, so its format is trusted.
const { port, ...options } = JSON.parse(readFileSync(path, 'utf8')) as RelayConfig
const stopping = new AbortController()
const emulator = createRelayEmulator({ ...options, report: (sentence) => process.stderr.write(`${sentence}\n`) })
const working = emulator.run(stopping.signal)
const server = serve({ fetch: emulator.fetch, hostname: host, port })

// Without its port this process is useless; the supervisor starts a new one.
server.once('error', (error) => {
  process.stderr.write(`The relay emulator cannot listen on ${host}:${port}: ${error.message}\n`)
  process.exit(1)
})

const stop = async () => {
  stopping.abort()
  await working
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())
