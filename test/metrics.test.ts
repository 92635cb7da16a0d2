import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runBeside, runCommand, writeConfig } from './harness/bff.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, gates, files, sweep, caughtUp } = await openStory('metrics', { gated: true })

const configured = JSON.parse(readFileSync(files.configPath, 'utf8')) as Record<string, unknown>
writeConfig(files.configPath, { ...configured, logLevel: 'debug', metrics: { port: 0 } })
await bff.stop()
await bff.start()

type Line = Record<string, unknown> & { msg: string }
const log = (): Line[] =>
  readFileSync(files.logPath, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

const operatorUrl = String(log().findLast(({ msg }) => msg === 'ready')?.['metricsUrl'])

/** @returns the value of a series such as `checkout_sweeps{network="devnet",state="sent"}`; undefined: there is none. */
async function series(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

test('the numbers tell a payment’s whole way, and each line of it is in the log under its id', async () => {
  receiver.answer(() => 500)
  const payment = await bff.createDeposit({ amount: '25.00' })
  expect(await series('checkout_payments_open{network="devnet"}')).toBe(1)
  const created =
    'checkout_http_request_duration_seconds_count{method="POST",route="/api/v1/deposits/create",status="200"}'
  expect(await series(created)).toBe(1)
  // The second attempt comes five seconds after the first.
  const refused = async () => (await series('checkout_webhook_attempts_total{result="retried"}')) ?? 0
  await until('a refused webhook', async () => (await refused()) >= 1)
  expect(await series('checkout_webhooks_due')).toBe(1)

  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(1)
  gates.devnet.hold('eth_sendRawTransaction', 'before')
  await chain.mine(1)
  await gates.devnet.held('eth_sendRawTransaction')
  expect(await series('checkout_sweeps{network="devnet",state="sent"}')).toBe(1)
  expect(await series('checkout_outgoing_transactions_open{network="devnet"}')).toBe(1)
  gates.devnet.release()
  await sweep([payment])

  expect(await series('checkout_sweeps{network="devnet",state="sent"}')).toBeUndefined()
  expect(await series('checkout_payments_open{network="devnet"}')).toBe(0)
  expect(await series('checkout_payments_moved_total{network="devnet",status="swept",test="0"}')).toBe(1)
  await caughtUp()
  expect(await series('checkout_network_head_block{network="devnet"}')).toBe(await chain.head())
  expect(await series('checkout_network_payable{network="devnet"}')).toBe(1)
  expect(await series('checkout_db_commit_duration_seconds_count')).toBeGreaterThan(5)
  expect(await series('checkout_db_file_bytes{file="database"}')).toBeGreaterThan(4096)
  expect(await series('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(
    await series('checkout_rpc_duration_seconds_count{network="devnet",method="eth_getLogs",outcome="answered"}'),
  ).toBeGreaterThan(0)

  const lines = log().filter(({ paymentId }) => paymentId === payment.id)
  const request = lines.find(({ msg, method }) => msg === 'request' && method === 'POST')
  expect(request).toMatchObject({ route: '/api/v1/deposits/create', status: 200, requestId: expect.any(String) })
  const moves = lines.filter(({ msg }) => msg === 'Payment changed').map(({ status }) => status)
  expect([...new Set(moves)]).toEqual(['pending', 'sweeping', 'swept'])
  expect(lines.some(({ msg }) => msg === 'Webhook attempt failed; retrying')).toBe(true)
})

test('numbers and readiness are on the operator’s own port, and the world’s port has only the readiness', async () => {
  expect((await fetch(`${bff.url()}/metrics`)).status).toBe(404)
  expect((await fetch(`${bff.url()}/api/ready`)).status).toBe(200)
  expect(new URL(operatorUrl).port).not.toBe(new URL(bff.url()).port)
  expect(await (await fetch(`${operatorUrl}/ready`)).text()).toBe('ready')
})

test('without a network that answers the service is alive and not ready, until one is back', async () => {
  // A network where nothing is awaited is looked at rarely.
  for (const network of ['devnet', 'devnet-b']) await bff.createDeposit({ amount: '26.00', network })
  await Promise.all([gates.devnet.close(), gates['devnet-b'].close()])
  await until('it to say so', async () => (await fetch(`${bff.url()}/api/ready`)).status === 503)
  const answer = await fetch(`${operatorUrl}/ready`)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('No network can be paid on')])
  expect((await fetch(`${bff.url()}/api/health`)).status).toBe(200)
  expect(await series('checkout_ready')).toBe(0)
  expect(await series('checkout_watcher_faults_total{network="devnet"}')).toBeGreaterThan(0)
})

test('a script reads the same from the exit code of a command', async () => {
  const ask = (...options: string[]) => runBeside(['ready', ...options], files.env)
  expect(await ask('--url', bff.url(), '--alive')).toMatchObject({ exitCode: 0, stdout: 'alive\n' })
  expect(await ask('--url', bff.url())).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('No network can be paid on'),
  })
  // Where the configuration says that it listens: a port of 0 is nobody's.
  expect(await ask('--json')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('"ready":false') })
})

test('a port that another program has ends the service with a sentence, and nothing keeps running', () => {
  const { port } = new URL(bff.url())
  const { exitCode, stderr } = runCommand([], {
    ...files.env,
    BFF_PORT: port,
    DATABASE_PATH: `${files.databasePath}.other`,
  })
  expect(exitCode).toBe(1)
  expect(stderr).toContain(
    `Port ${port} of 127.0.0.1 is in use by another program. Stop that program, or set another port`,
  )
})
