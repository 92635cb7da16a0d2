import { serveSolana } from './server.ts'

/** The process's configuration, as JSON. */
export type SolanaProcess = {
  port: number
  slotMs: number | null
  depths: { confirmed: number; finalized: number }
  journalPath: string
}

const { port, ...options } = JSON.parse(process.env['SOLANA_DEVNET'] ?? '{}') as SolanaProcess
const server = await serveSolana(options, port)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop())
