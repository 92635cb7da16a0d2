import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@stablecoin-checkout/rig/postgres-server'
import { afterAll, expect, test } from 'vitest'
import { runBeside, runCommand } from './harness/bff.ts'
import { nodeOfRelease } from './harness/node-of-release.mjs'
import { openStory } from './harness/story.ts'

/** Nothing of the repository is near it. */
const folder = mkdtempSync(join(tmpdir(), 'stories-of-the-binary-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const program = { file: join(folder, 'stablecoin-checkout'), args: [] }
const made = spawnSync(
  nodeOfRelease(24).program,
  [fileURLToPath(new URL('../bff/binary/build.mjs', import.meta.url)), program.file],
  { encoding: 'utf8', timeout: 120_000 },
)
if (made.status !== 0) throw new Error(`The binary could not be built:\n${made.stderr}`)

const { bff, chain, files, openTill, sweep, hears } = await openStory('binary', { program })

async function takesPayment(): Promise<void> {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00', orderId: crypto.randomUUID() })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
}

test('the binary alone takes a payment: from the address to the merchant’s wallet, with every webhook', takesPayment)

test('the binary brings the element at an address for good, the page of a payment, the reference, and the dashboard', async () => {
  const get = async (path: string) => {
    const answer = await fetch(`${bff.url()}${path}`)
    return { status: answer.status, cached: answer.headers.get('cache-control'), text: await answer.text() }
  }
  const files = JSON.parse((await get('/stablecoin-checkout.json')).text) as Record<string, { url: string }>
  const script = await get(files['stablecoin-checkout.js']?.url ?? '')
  expect(script).toMatchObject({ status: 200, cached: expect.stringContaining('immutable') })
  expect(script.text).toContain('stablecoin-checkout')
  const { id } = await bff.createDeposit({ amount: '26.00' })
  expect(await get(`/pay/${id}`)).toMatchObject({ status: 200, text: expect.stringContaining('<stablecoin-checkout') })
  for (const logo of ['networks/base', 'networks/other', 'tokens/usdc'])
    expect(await get(`/logos/${logo}.svg`)).toMatchObject({ status: 200, text: expect.stringMatching(/^<svg /) })
  expect((await get('/docs')).text).toContain('Quickstart')
  expect((await get('/docs/reference.css')).status).toBe(200)
  const dashboard = await get('/dashboard/')
  const [, pageScript = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(dashboard.text) ?? []
  expect(await get(pageScript)).toMatchObject({ status: 200, cached: expect.stringContaining('immutable') })
})

test('the licences of what is in the binary are beside it', () => {
  const text = readFileSync(`${program.file}.licenses.txt`, 'utf8')
  for (const name of ['hono', 'viem', 'pg']) expect(text).toContain(`Name: ${name}\n`)
  for (const name of ['lit', '@tanstack/lit-table']) expect(text).toContain(`## ${name} - `)
})

test('it carries the long-term release of Node, whichever built it, and says its version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../bff/package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(runCommand(['--version'], files.env, '', program)).toMatchObject({
    exitCode: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
  expect(readFileSync(program.file).includes('/download/release/v24.')).toBe(true)
})

test('its commands work beside it, and leave nothing behind', async () => {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const env = { ...files.env, TMPDIR: temporary }
  const copy = join(folder, 'backup.sqlite')
  expect(runCommand(['backup', copy], env, '', program)).toMatchObject({ exitCode: 0 })
  const csv = join(folder, 'payments.csv')
  expect(runCommand(['export', '--csv', csv, '--json'], env, '', program)).toMatchObject({ exitCode: 0, stderr: '' })
  expect(readdirSync(temporary)).toEqual([])
  await bff.stop()
  expect(runCommand(['restore', copy], env, '', program)).toMatchObject({ exitCode: 0, stderr: '' })
  await bff.start()
})

test('it speaks PostgreSQL: it moves its database there, takes a payment, and its books close', async () => {
  const server = await startPostgres()
  try {
    await bff.stop()
    const move = ['move', '--to', server.url]
    expect(runCommand(move, files.env, '', program)).toMatchObject({ exitCode: 0 })
    delete files.env['DATABASE_PATH']
    files.env['DATABASE_URL'] = server.url
    files.env['SECRETS_KEY_FILE'] = `${files.databasePath}.key`
    await bff.start()
    await takesPayment()
    await chain.mine(2)
    const reconcile = ['reconcile', '--network', 'devnet']
    expect(await runBeside(reconcile, files.env, program)).toMatchObject({ exitCode: 0 })
    expect(await bff.stop()).toBe(0)
  } finally {
    await bff.kill()
    await server.stop()
  }
})
