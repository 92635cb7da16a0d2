import { silentLog } from '../src/core/log.ts'
import { systemRuntime } from '../src/core/runtime.ts'
import type { Db } from '../src/db/db.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { createVault } from '../src/merchant/vault.ts'
import { createDispatcher } from '../src/webhook/outbox/dispatcher.ts'
import { vaultKey } from './outbox.ts'

/**
 * A dispatcher in a process of its own, to be killed: `node kill-worker.ts <database> <step> <nth>`. When a step of a
 * delivery comes up for the nth time, it says so and stays there.
 */
const [location = '', step = '', nth = '1'] = process.argv.slice(2)
let left = Number(nth)

async function reach(reached: string): Promise<void> {
  if (reached !== step) return
  left -= 1
  if (left !== 0) return
  process.send?.(step)
  await new Promise(() => {})
}

const db = await openDatabase(location)
const watched: Db = {
  ...db,
  async read(unit) {
    await reach('before it is read')
    const value = await db.read(unit)
    await reach('after it was read')
    return value
  },
  async write(unit) {
    await reach('before its outcome is stored')
    const value = await db.write(unit)
    await reach('after its outcome was stored')
    return value
  },
}
const vault = createVault(vaultKey, systemRuntime)
const dispatcher = createDispatcher({ db: watched, vault, runtime: systemRuntime, log: silentLog, targets: 'any' })
await dispatcher.run(new AbortController().signal)
