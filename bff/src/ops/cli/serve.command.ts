import { Command } from '@commander-js/extra-typings'
import { loadConfig } from '../config/config.ts'
import { setupFolder } from '../config/source.ts'
import { serve } from '../serve/serve.ts'
import type { Cli } from './cli.ts'

/** Runs the service until SIGTERM or SIGINT; a second signal ends it at once. */
export function serveCommand(cli: Cli) {
  return new Command('serve')
    .summary('run the service (the default command)')
    .description(
      'run the service (the default command), or print the link of the set-up page where there is none yet; SIGTERM stops it after the work in progress',
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

async function setUp(cli: Cli, folder: string) {
  const { serveSetup } = await import('../setup/serve-setup.ts')
  const running = await serveSetup({
    folder,
    env: cli.env(),
    isTerminal: cli.input.isTerminal,
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
