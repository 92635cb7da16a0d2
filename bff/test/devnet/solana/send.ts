import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@solana/web3.js'

/** A block takes less than a second on an idle machine. The bound counts polls, which take longer on a busy machine. */
const landsWithinMs = 20_000
const pollMs = 20

/**
 * Sends a transaction, and waits until it is in a block.
 * @throws {Error} when it failed, or did not land in time.
 */
export async function sendAndConfirm(connection: Connection, send: () => Promise<string>): Promise<string> {
  const signature = await send()
  for (let polls = 1; ; polls += 1) {
    const { value } = await connection.getSignatureStatus(signature)
    if (value?.err) throw new Error(`The transaction ${signature} failed: ${JSON.stringify(value.err)}`)
    if (value) return signature
    if (polls * pollMs > landsWithinMs) throw new Error(`The transaction ${signature} did not land.`)
    await sleep(pollMs)
  }
}
