import { Command } from '@commander-js/extra-typings'
import { serve } from '../serve/serve.ts'
import type { Cli } from './cli.ts'

/** Runs the service until SIGTERM or SIGINT; a second signal ends it at once. */
export function serveCommand(cli: Cli) {
  return new Command('serve')
    .description('run the service (the default command); SIGTERM stops it after the work in progress')
    .action(async () => {
      const running = await serve(cli.config('all'), cli.runtime, { env: { ...cli.env() } })
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
