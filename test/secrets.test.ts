import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { bundle, runBeside, runCommand, writeConfig } from './harness/bff.ts'
import { openGate } from './harness/gate.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, devnet, files, sweep } = await openStory('secrets', { program: bundle })

/** Every file of the database, as a thief of the disk would read it. */
function databaseBytes(): string {
  const name = basename(files.databasePath)
  const parts = ['', '-wal', '-shm'].map((suffix) => `${name}${suffix}`)
  const folder = dirname(files.databasePath)
  const there = readdirSync(folder).filter((file) => parts.includes(file))
  return there.map((file) => readFileSync(join(folder, file), 'latin1')).join('')
}

test('no secret is in the log, an answer, an error, the process list, the database or a file, whatever goes wrong', async () => {
  const nodeKey = 'key-of-the-node-7f3a'
  const gate = await openGate(chain.node().facts.rpcUrl)
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as { networks: { rpcUrls: string[] }[] }
  const [first, ...others] = config.networks
  const networks = [{ ...first, rpcUrls: [`${gate.url}/${nodeKey}`] }, ...others]
  const secretsFile = `${files.databasePath}.secrets.json`
  writeConfig(files.configPath, { ...config, logLevel: 'debug', networks, secretsFile })
  await bff.kill()
  delete files.env['OPERATOR_PRIVATE_KEY']
  const lacking = runCommand([], files.env)
  expect(lacking).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`The file ${secretsFile}`) })
  const sealed = runCommand(['secrets', 'set', 'OPERATOR_PRIVATE_KEY'], files.env, `${devnet.operator.privateKey}\n`)
  expect(sealed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(devnet.operator.address) })
  const relayKey = 'key-of-the-relay-91ce'
  const solanaKey = JSON.stringify([...Keypair.generate().secretKey])
  for (const [name, text] of Object.entries({ RELAY_API_KEY: relayKey, SOLANA_FEE_PAYER_KEY: solanaKey })) {
    expect(runCommand(['secrets', 'set', name], files.env, text).exitCode).toBe(0)
  }
  await bff.start()

  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  const { apiKey, apiSecret, webhookSecret } = bff.merchant
  const wrong = { 'x-api-key': apiKey, 'x-api-secret': `${apiSecret.slice(0, -1)}x` }
  const answers = [
    await bff.get('/payments/list', wrong),
    await bff.get(`/deposits/status/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`),
    await bff.postDeposit({ amount: 'much', apiSecret }),
    await bff.get('/networks/payable'),
  ]
  receiver.answer(() => 500)
  const open = await bff.createDeposit({ amount: '26.00' })
  await until('a refused webhook', () => receiver.tries(open.id).length > 0)
  await gate.close()
  const logged = () => readFileSync(files.logPath, 'utf8')
  await until('the watcher and the sweeper to meet the fault', () =>
    logged().includes('Reading the chain failed; retrying'),
  )
  await chain.mine(1)
  answers.push(await bff.get(`/deposits/status/${payment.id}`), await bff.get('/networks/payable'))
  const processes = execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
  expect(processes).toContain('dist/main.js')
  const commands = [
    await runBeside(['networks', 'list'], files.env),
    await runBeside(['deploy', 'devnet', '--stack'], files.env),
    await runBeside(['secrets', 'list'], files.env),
    await runBeside(['doctor'], files.env),
    await runBeside(['keys', 'list', bff.merchant.merchantId, '--json'], files.env),
    await runBeside(['deploy', 'devnet'], {
      ...files.env,
      DEPLOYER_PRIVATE_KEY: devnet.operator.privateKey.slice(0, -1),
    }),
    await runBeside([], { ...files.env, BFF_PORT: 'none', SECRETS_KEY: Buffer.alloc(32).toString('base64') }),
    lacking,
    sealed,
  ]
  expect(commands.map(({ exitCode }) => exitCode)).toEqual([0, 1, 0, 1, 0, 1, 3, 3, 0])
  await bff.stop()

  const key = readFileSync(`${files.databasePath}.key`, 'utf8').trim()
  const secrets = {
    clientSecret: bff.clientSecretOf(payment.id)?.slice('cs_'.length) ?? '',
    apiSecret,
    webhookSecret,
    operator: devnet.operator.privateKey.slice(2),
    nodeKey,
    key,
    relayKey,
    solanaKey,
  }
  const shown = JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]))
  const said = `${logged()}${shown}${JSON.stringify(commands)}`
  const places = { said, processes, database: databaseBytes(), sealed: readFileSync(secretsFile, 'utf8') }
  for (const [name, secret] of Object.entries(secrets)) {
    for (const [place, text] of Object.entries(places)) {
      expect(text.includes(secret.replace('whsec_', '')), `${name} in ${place}`).toBe(false)
    }
  }
  expect(said).toContain('Webhook delivered')
  expect(said).toContain('Settling deposits')
})
