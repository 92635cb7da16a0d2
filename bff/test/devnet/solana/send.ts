import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@solana/web3.js'

/** A block comes within a second; the bound allows for a busy machine. */
const landsWithinMs = 20_000

/**
 * Sends, and waits until it is in a block.
 * @throws {Error} when it failed, or did not land in time.
 */
export async function sendAndConfirm(connection: Connection, send: () => Promise<string>): Promise<string> {
  const signature = await send()
  const deadlineMs = Date.now() + landsWithinMs
  for (;;) {
    const { value } = await connection.getSignatureStatus(signature)
    if (value?.err) throw new Error(`The transaction ${signature} failed: ${JSON.stringify(value.err)}`)
    if (value) return signature
    if (Date.now() > deadlineMs) throw new Error(`The transaction ${signature} did not land.`)
    await sleep(20)
  }
}
