import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openPostgres } from '@stablecoin-checkout/bff/testing/db'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { freePort } from './processes/ports.ts'
import { createPostgres, isReadyLine } from './processes/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's own database; the tests create theirs beside it. */
    postgresUrl: string
  }
}

/** Migrated once; the tests' databases are copies of it. */
export const templateName = 'template_of_tests'

/** No test's data must survive a power failure, and every test opens its own database. */
const fast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=400', 'autovacuum=off']

let ofRun: { stop(): Promise<void> } | undefined

/**
 * Starts PostgreSQL for a test run, in a temporary folder. `TEST_POSTGRES_URL` uses a running server instead, of a version
 * without a package; tests that stop their server still start their own.
 */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env['TEST_POSTGRES_URL']
  const server = given === undefined ? await startPostgres() : { url: given, stop: async () => undefined }
  ofRun = server
  const admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query(`drop database if exists ${templateName}`)
  await admin.query(`create database ${templateName}`)
  await admin.end()
  await (await openPostgres(urlOf(server.url, templateName))).close()
  project.provide('postgresUrl', server.url)
}

export const teardown = async (): Promise<void> => await ofRun?.stop()

export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/**
 * A separate server, for tests that stop and start it.
 * @param settings - The tests' settings lose data in a power failure; pass none for the server's own.
 */
export async function startPostgres(settings: readonly string[] = fast) {
  const { url, command, remove } = await createPostgres(await freePort(), settings)
  let child: ChildProcess | undefined
  const end = () => child?.kill('SIGINT')

  async function resume(): Promise<void> {
    const { file, args, ...as } = command
    const server = spawn(file, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
    child = server
    const lines: string[] = []
    await new Promise<void>((resolve, reject) => {
      createInterface(server.stderr).on('line', (line) => {
        if (isReadyLine(line)) resolve()
        if (lines.push(line) > 20) lines.shift()
      })
      server.once('error', reject)
      server.once('exit', (code) => reject(new Error(`PostgreSQL ended (${code}):\n${lines.join('\n')}`)))
    })
  }

  /** Ends connections and the server, as an operator's restart does. */
  async function pause(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    end()
    await ended
  }

  async function stop(): Promise<void> {
    process.off('exit', end)
    await pause()
    remove()
  }

  // An aborted run ends its server too.
  process.on('exit', end)
  await resume().catch(async (error) => {
    await stop()
    throw error
  })
  return {
    url,
    /** Runs an operator's statements on a separate connection. */
    async run(text: string): Promise<void> {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(text).finally(() => client.end())
    },
    pause,
    resume,
    stop,
  }
}
