import { systemRuntime } from '../../bff/src/core/runtime.ts'
import type { Db, Tx } from '../../bff/src/db/db.ts'
import { openDb } from '../../bff/src/db/sqlite/open-database.ts'
import { loadConfig } from '../../bff/src/ops/config/config.ts'
import { serve } from '../../bff/src/serve.ts'

/** A commit of the service at which it is to die, told by what the commit writes. */
export type Failpoint = {
  /** Parts of statements; a commit that runs all of them is meant. */
  writes: readonly string[]
  /** Counted from 1. */
  nth: number
  /** `inside`: everything is written and nothing committed. `after`: it is committed, and nobody was told. */
  at: 'inside' | 'after'
}

/**
 * The whole service from its source, with its own configuration, that kills itself at a commit: `failpoint.ts <Failpoint as
 * JSON>`. The bundle that merchants run has nothing of this.
 */
const failpoint = JSON.parse(process.argv[2] ?? '') as Failpoint

/** SIGKILL cannot be caught: not one more instruction of the service runs. */
const die = () => void process.kill(process.pid, 'SIGKILL')

function noting(tx: Tx, seen: string[]): Tx {
  const note = (text: TemplateStringsArray) => void seen.push(text.join('?'))
  return {
    run(statement) {
      note(statement.strings)
      return tx.run(statement)
    },
    get(statement) {
      note(statement.strings)
      return tx.get(statement)
    },
    all: (statement) => tx.all(statement),
    afterCommit: tx.afterCommit,
  }
}

function withFailpoint(db: Db): Db {
  let left = failpoint.nth
  return {
    ...db,
    async write(unit) {
      let isReached = false
      const value = await db.write(async (tx) => {
        const seen: string[] = []
        const result = await unit(noting(tx, seen))
        const isMeant = failpoint.writes.every((part) => seen.some((text) => text.includes(part)))
        if (isMeant) left -= 1
        isReached = isMeant && left === 0
        if (isReached && failpoint.at === 'inside') die()
        return result
      })
      if (isReached) die()
      return value
    },
  }
}

await serve(loadConfig(process.env), systemRuntime, (path) => withFailpoint(openDb(path)))
