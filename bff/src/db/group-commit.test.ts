import { expect, test } from 'vitest'
import type { Tx } from './db.ts'
import { groupCommits, unobserved, type Writer } from './group-commit.ts'

/** The connection takes no more writes until the transaction is rolled back; the units are not to blame. */
class Interrupted extends Error {}

/** A writer without a database, which fails as PostgreSQL does, and what it was asked for. */
function openWriter({ commit = async () => undefined }: { commit?: () => Promise<void> } = {}) {
  const steps: string[] = []
  const told: string[][] = []
  let failure: unknown
  let changes = 0
  const step = (name: string) => async () => void steps.push(name)
  const run = async (statement: unknown) => {
    changes += 1
    if (statement !== bad) return 1
    failure ??= refused
    throw refused
  }
  const writer: Writer = {
    statements: {
      run,
      write: () => undefined,
      get: async () => undefined,
      all: async () => [],
    } as Writer['statements'],
    failure: () => failure,
    changes: () => changes,
    async begin() {
      steps.push('begin')
      failure = undefined
    },
    written: async () => undefined,
    async commit(notified) {
      steps.push('commit')
      told.push([...notified])
      await commit()
    },
    rollback: step('rollback'),
    savepoint: step('savepoint'),
    release: step('release'),
    async undo() {
      steps.push('undo')
      failure = undefined
    },
    isWorthRepeating: (reason) => reason instanceof Interrupted,
    toCallersError: (reason) => reason,
  }
  return { steps, told, ...groupCommits(writer, unobserved) }
}

const refused = new Error('refused')
const bad = {} as Parameters<Tx['run']>[0]
const good = {} as Parameters<Tx['run']>[0]

test('a commit notifies of what its own units name, not of earlier ones', async () => {
  const { write, told } = openWriter()
  await write(async (tx) => tx.notify('one'))
  await write(async (tx) => tx.notify('two'))
  expect(told).toEqual([['one'], ['two']])
})

test('a unit that hides a failed statement is undone alone, and rejects with its error', async () => {
  const { write, steps } = openWriter()
  const hiding = write((tx) => tx.run(bad).catch(() => 0))
  const other = write((tx) => tx.run(good))
  await expect(hiding).rejects.toBe(refused)
  expect(await other).toBe(1)
  expect(steps).toEqual([
    ...['begin', 'rollback'],
    ...['begin', 'savepoint', 'undo', 'release', 'savepoint', 'release', 'commit'],
  ])
})

test('a group that the database keeps interrupting is given up after five runs, and the next one runs', async () => {
  let isDown = true
  const { write, steps } = openWriter({
    commit: async () => {
      if (isDown) throw new Interrupted('down')
    },
  })
  await expect(write((tx) => tx.run(good))).rejects.toThrow('down')
  expect(steps.filter((step) => step === 'commit')).toHaveLength(5)
  isDown = false
  expect(await write((tx) => tx.run(good))).toBe(1)
})
