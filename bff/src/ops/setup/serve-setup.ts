import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isAddressOrNetwork } from '../../access/http/client-address.ts'
import { listenOn } from '../../access/http/listen.ts'
import { chainFamilies } from '../../chain/index.ts'
import { OperatorError } from '../../core/errors.ts'
import { faultText } from '../../core/fault-text.ts'
import type { Runtime } from '../../core/runtime.ts'
import { openDashboardFiles } from '../../dashboard/page/page.routes.ts'
import { configurationName } from '../config/source.ts'
import { keyOfEnvironment } from '../secrets/secrets-file.ts'
import type { Running } from '../serve/serve.ts'
import { folderFault } from './create-service.ts'
import { createSetupAccess, linkMs } from './setup-access.ts'
import { createSetupApp } from './setup-app.ts'
import { showOnDesktop } from './show-on-desktop.ts'

const portDefault = 8787
const hostDefault = '127.0.0.1'

/** How often to look whether `init` has created the service meanwhile. */
const watchMs = 1_000

type Options = {
  folder: string
  env: Readonly<Record<string, string | undefined>>
  runtime: Runtime
  /** Whether somebody reads what is printed. */
  isTerminal: boolean
  /** Prints for the operator. The link must not appear in the service's log. */
  write(text: string): void
  /** Starts the service with a configuration file, on the page's port. */
  serve(configuration: string, port: number): Promise<Pick<Running, 'stop'>>
}

/** `ended` rejects when the created service cannot start. */
export type RunningSetup = { url: string; stop(): Promise<void>; ended: Promise<void> }

/**
 * Serves the page that sets up a service, behind a link that is printed once. Once the service is created, by the page or by `init`, serves
 * it in the same process.
 * @throws {OperatorError} when the folder or the port cannot be used.
 */
export async function serveSetup(options: Options): Promise<RunningSetup> {
  const { env, isTerminal, runtime, write, serve } = options
  const folder = resolve(options.folder)
  const fault = folderFault(folder, runtime)
  if (fault !== null) throw new OperatorError(`${folder} ${fault}.`)
  verifyKeys(env)
  const trustedProxies = proxiesOf(env)
  const publicUrl = publicUrlOf(env)
  const access = createSetupAccess(runtime)
  let running: Pick<Running, 'stop'> | null = null
  let isStopping = false
  let finish: { end: () => void; fail: (error: unknown) => void } | null = null
  const ended = new Promise<void>((end, fail) => {
    finish = { end, fail }
  })

  const place = { folder, port: 0, trustedProxies, env }
  const setup = createSetupApp({
    access,
    place,
    files: openDashboardFiles('setup'),
    runtime,
    report: (error) => write(`A request of the set-up page failed: ${faultText(error)}\n`),
    start: (created) => void handOver(created).then(finish?.end, finish?.fail),
  })
  const { listening, note } = await listenFor(setup.app.fetch, env)
  place.port = listening.port
  const url = `http://localhost:${listening.port}`
  const link = `${publicUrl ?? url}/setup#${access.token}`
  const removePage = isTerminal ? null : showOnDesktop(link, { folder, env })

  const timer = setTimeout(() => {
    removePage?.()
    if (!access.wasUsed()) write('The link has ended. Restart the service for a new one.\n')
  }, linkMs)
  timer.unref()

  const configuration = join(folder, configurationName)
  const watch = setInterval(() => {
    if (setup.hasCreated() || !existsSync(configuration)) return
    write('The service was created in a terminal, and starts.\n')
    void handOver(configuration).then(finish?.end, finish?.fail)
  }, watchMs)

  async function closePage(): Promise<void> {
    clearTimeout(timer)
    clearInterval(watch)
    removePage?.()
    await listening.close()
    await setup.close()
  }

  async function handOver(created: string): Promise<void> {
    await closePage()
    if (!isStopping) running = await serve(created, listening.port)
  }

  write(`${note}This folder has no service yet: ${folder}
Set it up in a browser. The link works once, within an hour:

  ${link}

${publicUrl === null ? elsewhere(listening.port) : ''}In a terminal, "init" does the same.
`)
  return {
    url,
    ended,
    async stop() {
      isStopping = true
      if (running) await running.stop()
      else await closePage()
    },
  }
}

const elsewhere = (
  port: number,
) => `On another machine, forward the port first (ssh -L ${port}:localhost:${port} …). Behind a proxy, open the
link at its https address. `

/** The address of a proxy in front, which compose knows, for the link. */
function publicUrlOf({ SETUP_PUBLIC_URL: text }: Options['env']): string | null {
  if (!text) return null
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return new URL(text).origin
  throw new OperatorError('SETUP_PUBLIC_URL must be an https URL such as https://pay.example')
}

/** Listens on the default port or, if another program has it, on any free one. A requested port is not replaced. */
async function listenFor(fetch: Parameters<typeof listenOn>[0], env: Options['env']) {
  const host = env['BFF_HOST'] || hostDefault
  const asked = env['BFF_PORT']
  const port = asked ? Number(asked) : portDefault
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new OperatorError('BFF_PORT must be a port number')
  try {
    return { listening: await listenOn(fetch, { host, port }), note: '' }
  } catch (error) {
    if (asked) throw error
    const listening = await listenOn(fetch, { host, port: 0 })
    return { listening, note: `Port ${port} is in use, so this service takes ${listening.port}.\n` }
  }
}

/** Keys in the environment are used when the service is created. Verifies them before the first question. */
function verifyKeys(env: Options['env']): void {
  for (const payerKey of Object.values(chainFamilies).flatMap((family) => family.payerKey ?? [])) {
    const key = env[payerKey.variable]
    if (key !== undefined && payerKey.addressOf(key) === undefined) {
      throw new OperatorError(`${payerKey.variable} must be ${payerKey.format}.`)
    }
  }
  const { SECRETS_KEY, SECRETS_KEY_FILE } = env
  if (keyOfEnvironment({ SECRETS_KEY, SECRETS_KEY_FILE }) === null && SECRETS_KEY) {
    throw new OperatorError('SECRETS_KEY must be 32 bytes as base64 or hex.')
  }
}

/** The addresses of a proxy in front, which compose knows, for the configuration. */
function proxiesOf(env: Options['env']): string[] {
  const proxies = (env['SETUP_TRUSTED_PROXIES'] ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const wrong = proxies.find((text) => !isAddressOrNetwork(text))
  if (wrong !== undefined) throw new OperatorError(`SETUP_TRUSTED_PROXIES: ${wrong} is no IP address or network`)
  return proxies
}
