import { Command } from '@commander-js/extra-typings'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Config } from '../config/config.ts'
import { setupFolder } from '../config/source.ts'
import { type Cli, exitCodes, jsonOption } from './cli.ts'

/** A healthy service responds within milliseconds. */
const timeoutMs = 5_000

/** Wildcard addresses, and the address to call instead on the same machine. */
const loopbacks = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** For health checks and upgrade scripts on machines without an HTTP client. */
export function readyCommand(cli: Cli) {
  return new Command('ready')
    .description('check whether the running service can take payments; exits with 1 and the reasons if not')
    .option('--alive', 'check only whether the process is alive, for a supervisor that restarts it')
    .option('--url <url>', 'URL of the service (default: from the configuration)')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const url = `${options.url ?? ownUrl(placeOf(cli))}/api/${options.alive ? 'health' : 'ready'}`
        const reasons = await ask(url, options.alive === true)
        const isReady = reasons.length === 0
        const good = options.alive ? 'alive' : 'ready'
        return {
          json: { [good]: isReady, reasons },
          text: isReady ? good : reasons.join('\n'),
          exitCode: isReady ? exitCodes.done : exitCodes.failed,
        }
      }),
    )
}

/** Also finds the address of a service that waits to be set up and has no configuration. */
function placeOf(cli: Cli): Pick<Config, 'host' | 'port'> {
  const env = cli.env()
  if (setupFolder(env, cli.folder) === null) return cli.config('none')
  return { host: env['BFF_HOST'] || '127.0.0.1', port: Number(env['BFF_PORT'] || 8787) }
}

/** The running service's URL for a process on the same machine. */
export function ownUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = loopbacks.get(host) ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** @returns why the service is not ready; empty when it is. */
async function ask(url: string, isHealth: boolean): Promise<string[]> {
  try {
    return await withTimeout(timeoutMs, [], async (signal) => {
      const answer = await fetch(url, { signal })
      if (answer.ok) return []
      const body = isHealth ? {} : ((await answer.json()) as { reasons?: unknown })
      const reasons = 'reasons' in body && Array.isArray(body.reasons) ? body.reasons.map(String) : []
      return reasons.length > 0 ? reasons : [`${url} responded ${answer.status}.`]
    })
  } catch {
    return [`No service responds at ${url}. Start it by "serve", or name its address by --url.`]
  }
}
