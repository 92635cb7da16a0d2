import { Command } from '@commander-js/extra-typings'
import { withTimeout } from '../../core/with-timeout.ts'
import { type Cli, exitCodes, jsonOption } from './cli.ts'

/** A service that is well answers within milliseconds. */
const answerWithinMs = 5_000

/** Addresses that mean "every interface", and where a process on the same machine finds them. */
const loopbacks = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

/** For a container's health check, a script that upgrades, and whoever has no other HTTP client at hand. */
export function readyCommand(cli: Cli) {
  return new Command('ready')
    .description('ask the running service whether it can take payments; exits with 1 when it cannot, and says why')
    .option('--alive', 'ask only whether it is alive: what a supervisor should start it again for')
    .option('--url <url>', 'of the service; else where the configuration says that it listens')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const url = `${options.url ?? ownUrl(cli)}/api/${options.alive ? 'health' : 'ready'}`
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

function ownUrl(cli: Cli): string {
  const { host, port } = cli.config()
  return `http://${loopbacks.get(host) ?? host}:${port}`
}

/** @returns why not; nothing when all is well. */
async function ask(url: string, isHealth: boolean): Promise<string[]> {
  try {
    return await withTimeout(answerWithinMs, [], async (signal) => {
      const answer = await fetch(url, { signal })
      if (answer.ok) return []
      const body = isHealth ? {} : ((await answer.json()) as { reasons?: unknown })
      const reasons = 'reasons' in body && Array.isArray(body.reasons) ? body.reasons.map(String) : []
      return reasons.length > 0 ? reasons : [`${url} answers ${answer.status}.`]
    })
  } catch {
    return [`Nothing of the service answers at ${url}.`]
  }
}
