import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeConfig } from './harness/bff.ts'
import { openGate } from './harness/gate.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, devnet, files, sweep } = await openStory('secrets')

test('no secret is in the log or in an answer, whatever goes wrong', async () => {
  const nodeKey = 'key-of-the-node-7f3a'
  const gate = await openGate(chain.node().facts.rpcUrl)
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as { networks: { rpcUrls: string[] }[] }
  const [first, ...others] = config.networks
  const networks = [{ ...first, rpcUrls: [`${gate.url}/${nodeKey}`] }, ...others]
  writeConfig(files.configPath, { ...config, logLevel: 'debug', networks })
  await bff.kill()
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
  await until('the watcher and the sweeper to meet the fault', () => logged().includes('the chain could not be read'))
  await chain.mine(1)
  answers.push(await bff.get(`/deposits/status/${payment.id}`), await bff.get('/networks/payable'))
  await bff.stop()

  const secrets = { apiSecret, webhookSecret, operator: devnet.operator.privateKey.slice(2), nodeKey }
  const said = `${logged()}${JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]))}`
  for (const [name, secret] of Object.entries(secrets)) {
    expect(said.includes(secret.replace('whsec_', '')), name).toBe(false)
  }
  expect(said).toContain('webhook delivered')
  expect(said).toContain('Deposits are being settled')
})
