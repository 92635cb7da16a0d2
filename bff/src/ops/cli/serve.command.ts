import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { loadConfig } from '../config/config.ts'
import { configurationName, databaseDefault, type Env } from '../config/source.ts'
import { serve } from '../serve/serve.ts'
import type { Cli } from './cli.ts'

/** Runs the service until SIGTERM or SIGINT; a second signal ends it at once. */
export function serveCommand(cli: Cli) {
  return new Command('serve')
    .summary('run the service (the default command)')
    .description(
      'run the service (the default command); SIGTERM stops it after the work in progress\n\nIn a folder without a configuration, prints a link to a page that makes one.',
    )
    .action(async () => {
      const env = { ...cli.env() }
      const folder = setupFolder(env, cli.folder)
      const running = folder === null ? await serve(cli.config('all'), cli.runtime, { env }) : await setUp(cli, folder)
      let isStopping = false
      const stop = () => {
        if (isStopping) process.exit(1)
        isStopping = true
        running.stop().then(
          () => process.exit(0),
          () => process.exit(1),
        )
      }
      process.on('SIGTERM', stop)
      process.on('SIGINT', stop)
    })
}

/**
 * Where a service is set up: the folder of a `checkout.json` that does not exist. Null for a service that has its configuration, or whose
 * environment names a database of its own; a missing file of another name is a mistake, which the configuration reports.
 */
export function setupFolder(env: Env, folder: string): string | null {
  if (env['DATABASE_URL'] || env['DATABASE_PATH']) return null
  const named = env['BFF_CONFIG']
  if (!named) return existsSync(databaseDefault) ? null : folder
  return existsSync(named) || basename(named) !== configurationName ? null : dirname(named)
}

async function setUp(cli: Cli, folder: string) {
  const { serveSetup } = await import('../setup/serve-setup.ts')
  const running = await serveSetup({
    folder,
    env: cli.env(),
    runtime: cli.runtime,
    write: cli.write,
    serve(configuration, port) {
      const env = { ...cli.env(), BFF_CONFIG: configuration, BFF_PORT: String(port) }
      return serve(loadConfig(env), cli.runtime, { env })
    },
  })
  running.ended.catch((error: unknown) => {
    cli.writeError(
      `The service was set up and cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    process.exit(1)
  })
  return running
}
