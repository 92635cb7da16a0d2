import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { failingService } from './failing-service.mjs'
import { launchInPlace, runInPlace } from './in-place.ts'
import { launch, type Started } from './process.ts'
import { query } from './query.ts'
import type { Trouble } from './striking-db.ts'
import { until } from './until.ts'

const main = fileURLToPath(new URL('../../bff/dist/main.js', import.meta.url))

/** The merchant's account, as `merchants create` prints it once. */
export type Merchant = {
  merchantId: string
  publicKey: string
  testPublicKey: string
  apiKey: string
  apiSecret: string
  webhookSecret: string
}

/** Everything the API returns for a payment; a story checks what it needs. */
export type PaymentBody = Record<string, unknown> & { id: string; depositAddress: string; expiresAt: string }

/** The call for the customer's wallet; the story sends it unchanged. */
export type ContractCall = {
  contractAddress: Hex
  data: Hex
  before: { data: Hex; deadline: string }
  approval: { to: Hex; data: Hex; resetData: Hex; requiresReset: boolean }
  /** Present if the token supports it. */
  permit?: Signable
  authorization?: Signable & { payerOffset: number }
}

/** A call with room for a signature over `typedData`; offsets count characters of `data`. */
export type Signable = { data: Hex; signatureOffset: number; typedData: TypedData }
type TypedData = Record<string, unknown> & { message: Record<string, unknown> }

export type ContractPaymentBody = Record<string, unknown> & {
  id: string
  network: string
  expiresAt: string
  contractCall: ContractCall
}

/** A payment whose customer pays on another chain, to the relay's address. */
export type CrossChainBody = PaymentBody & {
  relayDepositAddress: string
  amountToSend: string
  amountToSendFormatted: string
  destination: { address: string }
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

/** The caller: the merchant's server, or a page with the public key. */
export type As = 'server' | 'page'

export type ServiceFiles = {
  configPath: string
  databasePath: string
  logPath: string
  env: Record<string, string>
  keepsPort: boolean
  /** Undefined: runs in this process. */
  program: Program | undefined
  /** Ends the leases of a killed process; on PostgreSQL they would otherwise expire seconds later. */
  endLeases?: () => Promise<void>
}

/** A command's output. `exitCode`: null if it was killed. */
export type Ran = { exitCode: number | null; stdout: string; stderr: string }

/** How the service is started: arguments come after `args`. */
export type Program = { file: string; args: readonly string[] }

/** The bundle, as `npm start` runs it. */
export const bundle: Program = { file: process.execPath, args: [main] }

/** How stories run the service by default: in this process or, with `STORY_SERVICE=process`, as merchants run it. */
export const programOfRun = process.env['STORY_SERVICE'] === 'process' ? bundle : undefined

/** Runs the service's command line as a process until it ends. @param input - Piped into it. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
  program: Program = bundle,
) {
  const run = spawnSync(program.file, [...program.args, ...args], {
    env: { ...process.env, ...env },
    input,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { exitCode: run.status, stdout: run.stdout, stderr: run.stderr }
}

/** `runCommand` without blocking this process, where the story's service may run; in this process if no program is given. */
export function runBeside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: Program | undefined = programOfRun,
  input = '',
): Promise<Ran> {
  if (!program) return runInPlace(args, env, input)
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 60_000 }
    const run = execFile(program.file, [...program.args, ...args], options, (_, stdout, stderr) =>
      resolve({ exitCode: run.exitCode, stdout, stderr }),
    )
    run.stdin?.end(input)
  })
}

/** @param wallets - Settlement wallet by network. */
export async function createMerchant(
  { env, program }: ServiceFiles,
  wallets: Readonly<Record<string, string>>,
): Promise<Merchant> {
  const pairs = Object.entries(wallets).flatMap(([network, address]) => ['--wallet', `${network}=${address}`])
  const args = ['merchants', 'create', '--name', 'Corner Coffee', ...pairs, '--json']
  const { exitCode, stdout, stderr } = await runBeside(args, env, program)
  if (exitCode !== 0) throw new Error(`The merchant could not be created:\n${stderr}`)
  return JSON.parse(stdout) as Merchant
}

/** The real service, in this process or its own, and a merchant's server that calls it. */
export function openBff(files: ServiceFiles, merchant: Merchant, callbackUrl: string) {
  let started: Started | undefined
  let url = ''
  let port: number | undefined

  const credentials = (as: As): Record<string, string> =>
    as === 'page'
      ? { 'x-public-key': merchant.publicKey }
      : { 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret }

  /** Client secrets of every created payment, as the element keeps them. */
  const clientSecrets = new Map<string, string>()

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...ownConnection } })
    const text = await response.text()
    const body = text === '' ? {} : (JSON.parse(text) as Answer['body'])
    const made = body['payment'] as { id: string; clientSecret?: string } | null | undefined
    if (made?.clientSecret !== undefined) clientSecrets.set(made.id, made.clientSecret)
    return { status: response.status, headers: response.headers, body }
  }

  type Order = Record<string, unknown> & { amount: string }

  function post(path: string, body: object, headers: Record<string, string>, as: As): Promise<Answer> {
    return ask(`/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials(as), ...headers },
      body: JSON.stringify(body),
    })
  }

  /** Creates a deposit; returns any response. */
  const postDeposit = (order: Order, headers: Record<string, string> = {}, as: As = 'server') =>
    post('/deposits/create', { currency: 'USDC', network: 'devnet', callbackUrl, ...order }, headers, as)

  /** Creates a contract payment; returns any response. */
  const postPayment = (order: Order, headers: Record<string, string> = {}, as: As = 'page') =>
    post('/payments/create', { currency: 'USDC', network: 'devnet', callbackUrl, ...order }, headers, as)

  /** Creates a payment from the devnet's other chain; returns any response. */
  const postCrossChain = (order: Order, headers: Record<string, string> = {}, as: As = 'server') =>
    post(
      '/payments/cross-chain/create',
      { originChainId: 31_338, originCurrency: 'USDC', callbackUrl, ...order },
      headers,
      as,
    )

  const get = (path: string, headers: Record<string, string> = credentials('server')) =>
    ask(`/api/v1${path}`, { headers })

  /** The response of the deposit's status endpoint. */
  async function read(id: string): Promise<PaymentBody> {
    const { status, body } = await get(`/deposits/status/${id}`)
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
    return body['payment'] as PaymentBody
  }

  return {
    merchant,
    url: () => url,
    /**
     * Starts the service and waits until it is ready and has verified each network: on a busy machine that takes longer than the
     * service waits before it listens. Uses any free port (with `keepsPort`, one reserved while the service is away). A service
     * with a failpoint may reach it and die before it is ready, which is not an error.
     */
    async start(trouble: Trouble = {}): Promise<void> {
      let ready: { url: string; networks: string[] } | undefined
      const verified = new Set<string>()
      let lastLine = ''
      if (files.keepsPort) port ??= await freePort()
      const parts = {
        env: { ...files.env, ...(files.keepsPort && { BFF_PORT: String(port) }) },
        logPath: files.logPath,
        onLine(line: string) {
          lastLine = line
          if (line.includes('"msg":"ready"')) ready = JSON.parse(line)
          const [, part] = /"msg":"The (network|splitter) is (?:available|unavailable)"/.exec(line) ?? []
          if (part) verified.add(`${part} of ${JSON.parse(line).network}`)
        },
      }
      const hasTrouble = Object.values(trouble).some((one) => one !== undefined)
      const failing = async () => ({ args: [await failingService(), JSON.stringify(trouble)] })
      const service = files.program
        ? launch({ ...(hasTrouble ? await failing() : files.program), ...parts })
        : launchInPlace(parts, bundle, trouble)
      started = service
      const isVerified = (name: string) => verified.has(`network of ${name}`) && verified.has(`splitter of ${name}`)
      const end = await until('the service to be ready', () => {
        if (service.exitCode() !== undefined) return ready?.url ?? 'ended'
        return ready?.networks.every(isVerified) && ready.url
      })
      if (end !== 'ended') url = end
      else if (trouble.failpoint === undefined || service.exitCode() !== null)
        throw new Error(`It ended with "${lastLine}"; see ${files.logPath}`)
    },
    /** SIGTERM. @returns its exit code. */
    stop: async () => (await started?.stop()) ?? null,
    /** SIGKILL. */
    async kill(): Promise<void> {
      await started?.kill()
      await files.endLeases?.()
    },
    isDead: () => started?.exitCode() !== undefined,
    /** Killed by SIGKILL, from its failpoint or the story. */
    wasKilled: () => started?.exitCode() === null,
    /** Stopped by SIGSTOP at its failpoint. */
    isStopped: () => started?.isStopped() ?? false,
    resume: () => started?.resume(),
    ask,
    get,
    postDeposit,
    postPayment,
    postCrossChain,
    /** With its own key, as the element sends it: without one, equal bodies are one payment. */
    async createPayment(order: Order): Promise<ContractPaymentBody> {
      const { status, body } = await postPayment(order, { 'idempotency-key': randomUUID() })
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      return body['payment'] as ContractPaymentBody
    },
    clientSecretOf: (id: string) => clientSecrets.get(id),
    /** Sets the refund address, as the page of the payment's creator or of anyone with its link. */
    requestRefund: (id: string, refund: { address: string; network?: string; clientSecret?: string }) =>
      post(`/deposits/refund-request/${id}`, { clientSecret: clientSecrets.get(id), ...refund }, {}, 'page'),
    /** Cancels the payment, as that page does when the customer chooses another way. */
    cancel: (id: string) =>
      post('/payments/fail', { paymentId: id, status: 'cancelled', clientSecret: clientSecrets.get(id) }, {}, 'page'),
    /** Submits a transaction, as the page does after the wallet has sent it. */
    process: ({ id, network }: ContractPaymentBody, transactionHash: string) =>
      post('/payments/process', { paymentId: id, network, transactionHash }, {}, 'page'),
    async createDeposit(order: Order): Promise<PaymentBody> {
      const { status, body } = await postDeposit(order)
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      return body['payment'] as PaymentBody
    },
    read,
    /** Waits until the payment's status matches. */
    async shows(id: string, expected: Record<string, unknown>): Promise<void> {
      await expect.poll(() => read(id)).toMatchObject(expected)
    },
    /** Backs up its database while it runs. @returns a function that restores it; stop the service first. */
    async backUp(): Promise<() => Promise<void>> {
      const copy = `${files.databasePath}.backup`
      rmSync(copy, { force: true })
      const command = async (name: string) => {
        const { exitCode, stderr } = await runBeside([name, copy], files.env, files.program)
        if (exitCode !== 0) throw new Error(`${name}: ${stderr}`)
      }
      await command('backup')
      return () => command('restore')
    },
    /** Reads its database directly, for what no merchant sees. @param text - With a `?` for each value. */
    query: <Row>(text: string, ...values: (string | number)[]): Promise<Row[]> => query<Row>(files, text, values),
  }
}

/**
 * Header of each request to a service. The service closes connections that are idle for some seconds; on a busy machine, or after
 * a command that blocked this process, `fetch` would still send the next request on one, and fail with "other side closed".
 */
export const ownConnection = { connection: 'close' }

export function writeConfig(path: string, config: Record<string, unknown>): void {
  writeFileSync(path, JSON.stringify(config, null, 2))
}
