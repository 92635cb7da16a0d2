import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { writeConfig } from './harness/bff.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, files, devnet, openTill, sweep } = await openStory('remote-signer')
const account = privateKeyToAccount(devnet.operator.privateKey)

/** A signer as merchants run it: it holds the key and signs what it is asked to. */
const asked: string[] = []
let isHonest = false
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const { params } = JSON.parse(text) as { params: [Record<string, `0x${string}`>] }
  const [{ to, data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, chainId }] = params
  asked.push(String(request.headers.authorization))
  const result = await account.signTransaction({
    type: 'eip1559',
    data: data ?? '0x',
    nonce: Number(nonce),
    chainId: Number(chainId),
    gas: BigInt(gas ?? 0),
    to: isHonest ? to : account.address,
    maxFeePerGas: BigInt(maxFeePerGas ?? 0),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
  })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('deposits are settled by a key in another process, and by nothing that it was not asked to sign', async () => {
  await bff.stop()
  const signer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as object
  writeConfig(files.configPath, { ...config, operator: { signer, address: account.address } })
  delete files.env['OPERATOR_PRIVATE_KEY']
  files.env['OPERATOR_SIGNER_TOKEN'] = 'let-me-in'
  await bff.start()

  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  const logged = () => readFileSync(files.logPath, 'utf8')
  await until('the refusal of what was not asked', () => logged().includes('The signer signed another transaction'))
  expect(await bff.query('select tx_id from outgoing_transactions')).toEqual([])
  isHonest = true
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(new Set(asked)).toEqual(new Set(['Bearer let-me-in']))
})
