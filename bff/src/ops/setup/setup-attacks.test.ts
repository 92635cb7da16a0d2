import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { startKnownTestnet } from '@stablecoin-checkout/rig/devnet/known-testnet'
import { createClosingServer, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSetupStage } from '@stablecoin-checkout/rig/setup-stage'
import { createTestClient, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { missingContracts } from '../../chain/evm/deploy/deployer.ts'
import { keepCheck } from './setup-draft.ts'

const chain = await startKnownTestnet()
const node = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
afterAll(() => chain.stop())

const { address: wallet } = privateKeyToAccount(generatePrivateKey())

let folder: string
let setup: ReturnType<typeof openSetupStage>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-attacks-'))
  setup = openSetupStage(folder)
})
afterEach(async () => {
  await setup.close()
  rmSync(folder, { recursive: true })
})

describe('strangers behind the same proxy', () => {
  test('cannot make the owner wait: only wrong links and requests without the session are counted', async () => {
    const guess = { body: { token: 'A'.repeat(43) } }
    const guesses = await Promise.all(Array.from({ length: 61 }, () => setup.refusalOf('link', guess)))
    expect(guesses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => [401, 'LINK_REFUSED', null]))
    expect(guesses[60]).toEqual([429, 'RATE_LIMITED', null])
    expect(await setup.refusalOf('state', {})).toEqual([429, 'RATE_LIMITED', null])
    const cookie = await setup.signIn()
    for (let count = 0; count < 700; count++) {
      if ((await setup.send('state', { cookie })).status !== 200) expect.unreachable(`request ${count}`)
    }
    expect(await setup.refusalOf('link', guess)).toEqual([429, 'RATE_LIMITED', null])
  })
})

function* endlessly() {
  for (;;) yield Buffer.alloc(65_536, ' ')
}

describe('a node', () => {
  test('that answers without end is refused, while the page goes on', async () => {
    const endless = createClosingServer(async (request, response) => {
      for await (const _ of request);
      response.writeHead(200, { 'Content-Type': 'application/json' })
      Readable.from(endlessly()).pipe(response)
    })
    await new Promise<void>((listening) => endless.listen(0, '127.0.0.1', listening))
    const { port } = endless.address() as { port: number }
    const cookie = await setup.signIn()
    const checking = setup.send('nodes', { body: { network: 'sepolia', url: `http://127.0.0.1:${port}` }, cookie })
    expect(await setup.send('state', { cookie })).toMatchObject({ status: 200 })
    expect((await checking).answer['check']).toMatchObject({ isUsable: false, notes: [{ code: 'rpc.bad' }] })
    endless.closeAllConnections()
    await new Promise((closed) => endless.close(closed))
  })
})

describe('a contract’s address that is only typed again', () => {
  const contract = '0x00000000000000000000000000000000000C0de5'
  const code = '0x6001600155'

  async function onTwoNetworks(second: string) {
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, chain.rpcUrl, wallet)
    keepCheck(setup.draft, 'base-sepolia', { url: second, isUsable: true, notes: [] })
    const rpcUrls = new Map([
      ['sepolia', chain.rpcUrl],
      ['base-sepolia', second],
    ])
    const networks = [...rpcUrls].map(([network, url]) => ({ network, rpcUrls: [url] }))
    await setup.send('networks', { method: 'PUT', body: { networks }, cookie })
    const retyped = { family: 'evm', address: contract.toLowerCase(), retyped: '0c0de5' }
    return { cookie, put: () => setup.send('wallets', { method: 'PUT', body: retyped, cookie }) }
  }

  test('is refused by name when it exists on one network only, and not for a key’s own delegation', async () => {
    const other = await startAnvil({ chainId: 84_532 })
    const second = createTestClient({ mode: 'anvil', transport: http(other.rpcUrl) })
    await node.setCode({ address: contract, bytecode: code })
    const { put, cookie } = await onTwoNetworks(other.rpcUrl)
    const { status, answer } = await put()
    expect([status, answer.code, answer.field]).toEqual([400, 'WALLET_NOT_EVERYWHERE', 'address'])
    expect(answer['values']).toEqual(['Sepolia', 'Base Sepolia'])
    expect(answer['message']).toContain('exists on Sepolia and not on Base Sepolia')

    await second.setCode({ address: contract, bytecode: code })
    expect(await put()).toMatchObject({ status: 200 })
    // The networks are chosen again after it was taken.
    await second.setCode({ address: contract, bytecode: '0x' })
    const networks = ['sepolia', 'base-sepolia'].map((network) => ({
      network,
      rpcUrls: [network === 'sepolia' ? chain.rpcUrl : other.rpcUrl],
    }))
    expect(await setup.send('networks', { method: 'PUT', body: { networks }, cookie })).toMatchObject({ status: 200 })
    expect((await setup.send('state', { cookie })).answer['answers']).toMatchObject({ wallets: [] })

    await node.setCode({ address: contract, bytecode: `0xef0100${'12'.repeat(20)}` })
    expect(await put()).toMatchObject({ status: 200 })
    await other.stop()
    expect((await put()).answer).toMatchObject({ code: 'WALLET_NOT_READ', values: ['Base Sepolia'] })
    await node.setCode({ address: contract, bytecode: '0x' })
  })
})

describe('two tabs that save at once', () => {
  const contract = '0x00000000000000000000000000000000000C0de6'

  test('create no service with a wallet that was not verified for a network that is being added', async () => {
    const other = await startAnvil({ chainId: 84_532 })
    const slow = await openLyingNode(other.rpcUrl)
    await node.setCode({ address: contract, bytecode: '0x6001600155' })
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, chain.rpcUrl, contract.toLowerCase())
    keepCheck(setup.draft, 'base-sepolia', { url: slow.url, isUsable: true, notes: [] })
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    let respond = () => {}
    const created = new Promise<void>((resolve) => (respond = resolve))
    slow.listen(async () => {
      isAsked()
      await created
    })
    const networks = [
      { network: 'sepolia', rpcUrls: [chain.rpcUrl] },
      { network: 'base-sepolia', rpcUrls: [slow.url] },
    ]
    const adding = setup.send('networks', { method: 'PUT', body: { networks }, cookie })
    await asked
    expect(await setup.refusalOf('create', { body: {}, cookie })).toEqual([409, 'BUSY', null])
    respond()
    expect(await adding).toMatchObject({ status: 200 })
    expect(await setup.refusalOf('create', { body: {}, cookie })).toEqual([409, 'ANSWERS_MISSING', null])
    expect(readdirSync(folder)).toEqual([])
    await node.setCode({ address: contract, bytecode: '0x' })
    await slow.close()
    await other.stop()
  })

  test('take no networks whose nodes are still being checked when the service was created', async () => {
    const slow = await openLyingNode(chain.rpcUrl)
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, chain.rpcUrl, wallet)
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    let respond = () => {}
    const created = new Promise<void>((resolve) => (respond = resolve))
    slow.listen(async () => {
      isAsked()
      await created
    })
    const networks = [{ network: 'sepolia', rpcUrls: [slow.url] }]
    const adding = setup.send('networks', { method: 'PUT', body: { networks }, cookie })
    await asked
    expect(await setup.send('create', { body: {}, cookie })).toMatchObject({ status: 200 })
    respond()
    expect(await adding).toMatchObject({ status: 409, answer: { code: 'ALREADY_CREATED' } })
    await slow.close()
  })

  test('take no answer that arrives when the service was created', async () => {
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, chain.rpcUrl, wallet)
    let send = (_: Uint8Array) => {}
    let end = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (bytes) => controller.enqueue(bytes)
        end = () => controller.close()
      },
    })
    const headers = {
      host: 'localhost:8787',
      origin: 'http://localhost:8787',
      cookie,
      'content-type': 'application/json',
    }
    const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit
    const late = setup.app.request('/setup/api/shop', init)
    expect(await setup.send('create', { body: {}, cookie })).toMatchObject({ status: 200 })
    send(Buffer.from(JSON.stringify({ name: 'Other', language: 'en', currency: 'USD' })))
    end()
    expect(await (await late).json()).toMatchObject({ code: 'ALREADY_CREATED' })
  })
})

describe('answers that the service cannot be created from', () => {
  test('are not called a folder that holds a service', async () => {
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, chain.rpcUrl, wallet)
    if (setup.draft.shop) setup.draft.shop.name = ' '
    const { status, answer } = await setup.send('create', { body: {}, cookie })
    expect([status, answer.code, answer['message']]).toEqual([400, 'VALIDATION_FAILED', 'name must not be empty'])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a deployment', () => {
  type Gas = { address: string; isDeployed: boolean; deployment: { state: string; code: string | null } | null }

  async function create(rpcUrl: string) {
    const cookie = await setup.signIn()
    await setup.answerAll(cookie, rpcUrl, wallet)
    await setup.send('create', { body: {}, cookie })
    const gas = async () => ((await setup.send('gas', { cookie })).answer['networks'] as Gas[])[0] as Gas
    const deploy = () => setup.send('deploy', { body: { network: 'sepolia' }, cookie })
    return { cookie, gas, deploy }
  }

  test('that runs out of gas between two contracts goes on when there is more, and pays for none twice', async () => {
    const lying = await openLyingNode(chain.rpcUrl)
    const { gas, deploy } = await create(lying.url)
    const { address } = await gas()
    await chain.fund(address, '1')
    let sent = 0
    lying.listen(async () => {
      if (lying.heard.at(-1) === 'eth_sendRawTransaction' && ++sent === 2) await chain.fund(address, '0')
    })
    await deploy()
    await expect.poll(async () => (await gas()).deployment).toMatchObject({ state: 'failed', code: 'GAS_MISSING' })
    await chain.fund(address, '1')
    await deploy()
    await expect.poll(async () => (await gas()).isDeployed).toBe(true)
    expect(await node.getTransactionCount({ address: address as `0x${string}` })).toBe(2)
    await lying.close()
  })

  test('runs once at a time, and the service does not start meanwhile', async () => {
    const other = await startKnownTestnet()
    const automine = createTestClient({ mode: 'anvil', transport: http(other.rpcUrl) })
    const { cookie, gas, deploy } = await create(other.rpcUrl)
    await other.fund((await gas()).address, '1')
    await automine.setAutomine(false)
    const [first, second] = await Promise.all([deploy(), deploy()])
    expect([first?.status, second?.answer.code]).toEqual([200, 'BUSY'])
    expect(await setup.refusalOf('start', { body: {}, cookie })).toEqual([409, 'BUSY', null])
    expect(setup.started).toEqual([])
    await automine.setAutomine(true)
    await automine.mine({ blocks: 1 })
    await expect.poll(async () => (await gas()).deployment?.state).toBe('done')
    expect(await setup.send('start', { body: {}, cookie })).toMatchObject({ status: 200 })
    await other.stop()
  })

  test('is not shown as done before the service can start: a node shows the code, and the receipt later', async () => {
    const other = await startKnownTestnet()
    const late = await openLyingNode(other.rpcUrl)
    const { cookie, gas, deploy } = await create(late.url)
    await other.fund((await gas()).address, '1')
    const asked = new Set<unknown>()
    let isShown = false
    late.lie('eth_getTransactionReceipt', (receipt, [hash]) => (asked.add(hash).size < 2 || isShown ? receipt : null))
    await deploy()
    const reader = createTestClient({ mode: 'anvil', transport: http(other.rpcUrl) }).extend(publicActions)
    await expect.poll(() => asked.size).toBe(2)
    await expect.poll(async () => (await missingContracts(reader)).length).toBe(0)
    const { isDeployed, deployment } = await gas()
    expect([isDeployed, deployment?.state]).toEqual([false, 'running'])
    expect(await setup.refusalOf('start', { body: {}, cookie })).toEqual([409, 'BUSY', null])
    isShown = true
    await expect.poll(async () => (await gas()).isDeployed).toBe(true)
    expect(await setup.send('start', { body: {}, cookie })).toMatchObject({ status: 200 })
    await late.close()
    await other.stop()
  })
})
