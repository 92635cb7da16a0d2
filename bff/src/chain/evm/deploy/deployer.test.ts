import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '@stablecoin-checkout/rig/devnet/anvil'
import { createPublicClient, createTestClient, createWalletClient, type Hex, http, keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { runCli } from '../../../ops/cli/program.ts'
import { systemInput } from '../../../ops/cli/terminal.ts'
import { deterministicDeployer, factoryAddress, paymentSplitter } from './contracts.generated.ts'
import { deployContracts, deployedContracts, deploymentOf, missingContracts } from './deployer.ts'

let anvil: Anvil
let chain: ReturnType<typeof connect>

beforeEach(async () => {
  anvil = await startAnvil({ chainId: 31_337 })
  chain = connect(anvil.rpcUrl)
  await chain.node.setBalance({ address: chain.sender.account.address, value: 10n ** 18n })
})
afterEach(() => anvil?.stop())

test('the contracts are deployed once, even concurrently', async () => {
  await Promise.all([deployContracts(chain), deployContracts(chain)])
  for (const { address, codeHash } of deployedContracts) {
    const code = await chain.reader.getCode({ address })
    expect(keccak256(code ?? '0x')).toBe(codeHash)
  }
  const sent = await transactionCount()
  await deployContracts(chain)
  expect(await transactionCount()).toBe(sent)
})

test('a deployment whose nonce another transaction has taken is sent again', async () => {
  const { sender } = chain
  let sent = 0
  async function sendOvertaken(request: { to: Hex; data: Hex }): Promise<Hex> {
    if (sent++ > 0) return await sender.sendTransaction({ ...request, chain: null })
    const nonce = await transactionCount()
    await sender.sendTransaction({ to: sender.account.address, chain: null })
    return await sender.sendTransaction({ ...request, chain: null, nonce })
  }
  const overtaken = sendOvertaken as typeof sender.sendTransaction
  await deployContracts({ ...chain, sender: { ...sender, sendTransaction: overtaken } })
  expect(await missingContracts(chain.reader)).toEqual([])
  expect(sent).toBe(3)
})

test('a deployment that a killed process has sent is awaited, and not paid for twice', async () => {
  const { node, sender } = chain
  const [factory] = deployedContracts
  await node.setAutomine(false)
  await sender.sendTransaction({ ...deploymentOf(factory), chain: null })
  const asked: unknown[] = []
  const getTransactionCount: typeof chain.reader.getTransactionCount = async (of) => {
    const count = await chain.reader.getTransactionCount(of)
    asked.push([of.blockTag, count])
    return count
  }
  const deployed = deployContracts({ ...chain, reader: { ...chain.reader, getTransactionCount } })
  await expect
    .poll(() => asked)
    .toEqual(
      expect.arrayContaining([
        ['pending', 1],
        ['latest', 0],
      ]),
    )
  await node.mine({ blocks: 1 })
  await node.setAutomine(true)
  await deployed
  expect(await missingContracts(chain.reader)).toEqual([])
  expect(await transactionCount()).toBe(2)
})

test.each([
  ['at the same price', 3_000_000_000n],
  ['at a lower price', 2_999_999_999n],
])(
  'the same deployment, sent by another replica in the same instant %s, is awaited instead of reported as failed',
  async (_, gasPrice) => {
    const { node, sender } = chain
    await node.setAutomine(false)
    let sent = 0
    async function sendTwice(request: { to: Hex; data: Hex }): Promise<Hex> {
      if (sent++ > 0) return await sender.sendTransaction({ ...request, chain: null })
      const call = {
        ...request,
        chain: null,
        nonce: await transactionCount(),
        gas: 5_000_000n,
        gasPrice: 3_000_000_000n,
      }
      await sender.sendTransaction(call)
      await node.setIntervalMining({ interval: 1 })
      return await sender.sendTransaction({ ...call, gasPrice })
    }
    const twice = sendTwice as typeof sender.sendTransaction
    await deployContracts({ ...chain, sender: { ...sender, sendTransaction: twice } })
    expect(await missingContracts(chain.reader)).toEqual([])
    expect(sent).toBe(2)
  },
)

test('a deployment that another replica has sent is awaited by nodes that count no pending transactions too', async () => {
  const { node, reader, sender } = chain
  await node.setAutomine(false)
  const call = { ...deploymentOf(deployedContracts[0]), chain: null, gas: 5_000_000n, gasPrice: 3_000_000_000n }
  await sender.sendTransaction({ ...call, nonce: 0 })
  let sent = 0
  async function sendAgain(request: { to: Hex; data: Hex }): Promise<Hex> {
    // Read before the other one was mined, however long it takes to send.
    const nonce = request.data === call.data ? 0 : await transactionCount()
    if (++sent === 5) await node.setIntervalMining({ interval: 1 })
    return await sender.sendTransaction({ ...call, ...request, nonce, gasPrice: 2_999_999_999n })
  }
  const getTransactionCount: typeof reader.getTransactionCount = ({ address }) =>
    reader.getTransactionCount({ address })
  const again = sendAgain as typeof sender.sendTransaction
  const counting = {
    ...chain,
    reader: { ...reader, getTransactionCount },
    sender: { ...sender, sendTransaction: again },
  }
  await deployContracts(counting)
  expect(await missingContracts(reader)).toEqual([])
  expect([await transactionCount(), sent >= 5]).toEqual([2, true])
})

test('only missing contracts are deployed', async () => {
  await deployContracts(chain)
  await chain.node.setCode({ address: paymentSplitter.address, bytecode: '0x' })
  expect((await missingContracts(chain.reader)).map(({ name }) => name)).toEqual(['payment splitter'])
})

test('a chain without the deterministic deployer is refused with a fix', async () => {
  await chain.node.setCode({ address: deterministicDeployer, bytecode: '0x' })
  await expect(deployContracts(chain)).rejects.toThrow('Deploy it first')
})

test('a chain that cannot run the splitter is refused', async () => {
  const old = await startAnvil({ chainId: 31_338, hardfork: 'shanghai' })
  try {
    const clients = connect(old.rpcUrl)
    await expect(deployContracts(clients)).rejects.toThrow('Chain 31338 cannot run the payment splitter')
  } finally {
    await old.stop()
  }
})

test('an address with other code is refused', async () => {
  await chain.node.setCode({ address: factoryAddress, bytecode: '0x00' })
  await expect(deployContracts(chain)).rejects.toThrow(`Chain 31337 has other code at ${factoryAddress}`)
  expect(await transactionCount()).toBe(0)
})

test('a failed deployment is detected', async () => {
  await chain.node.setCode({ address: deterministicDeployer, bytecode: '0x00' })
  await expect(deployContracts(chain)).rejects.toThrow('is not at')
})

test('the command prints the cost, and deploys with a key', async () => {
  expect(await deploy()).toMatchObject({
    exitCode: 0,
    text: expect.stringMatching(/missing[\s\S]+gas at[\s\S]+Nothing was sent/),
  })
  expect(await missingContracts(chain.reader)).toHaveLength(2)
  expect(await deploy(chain.key)).toMatchObject({
    exitCode: 0,
    text: expect.stringMatching(
      /^deploy the deposit factory 0 %\ndeploy the deposit factory 50 %\ndeploy the payment splitter 50 %\ndeploy the payment splitter 100 %\n[\s\S]+deployed, with the expected code[\s\S]+Paid by 0x/,
    ),
  })
  expect(await missingContracts(chain.reader)).toEqual([])
  const sent = await transactionCount()
  expect(await deploy(chain.key)).toMatchObject({ exitCode: 0, text: expect.stringContaining('Nothing to do.') })
  expect(await transactionCount()).toBe(sent)
})

test('the printed cost is within a tenth of the real one', async () => {
  const { text } = await deploy()
  const estimate = Number(/To deploy: (\d+) gas/.exec(text)?.[1])
  await deployContracts(chain)
  const blocks = [1n, 2n].map((blockNumber) => chain.reader.getBlock({ blockNumber }))
  const used = (await Promise.all(blocks)).reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  expect(Math.abs(estimate - used) / used).toBeLessThan(0.1)
})

test('the configured operator can pay, and only on its configured chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-deploy-'))
  const path = join(folder, 'checkout.json')
  const configure = (chainId: number) => {
    const at = { shortName: 'base', chainId, rpcUrls: [anvil.rpcUrl], platformWallet: chain.sender.account.address }
    writeFileSync(path, JSON.stringify({ networks: [at] }))
  }
  const env = { BFF_CONFIG: path, OPERATOR_PRIVATE_KEY: chain.key }
  try {
    configure(8_453)
    const wrong = await run(['base', '--as-operator'], env)
    expect(wrong).toMatchObject({ exitCode: 1, text: expect.stringContaining('on chain 31337, not on 8453') })
    configure(31_337)
    const { exitCode, text } = await run(['base', '--as-operator'], env)
    expect(text).toContain(`Paid by ${chain.sender.account.address}`)
    expect(exitCode).toBe(0)
    expect(await missingContracts(chain.reader)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an account with insufficient balance sends nothing', async () => {
  const { exitCode, text } = await deploy(generatePrivateKey())
  expect(exitCode).toBe(1)
  expect(text).toContain("holds 0 of the chain's coin and needs 0.0")
  expect(await missingContracts(chain.reader)).toHaveLength(2)
})

test('the command explains its arguments, and never prints the key or the node’s URL', async () => {
  expect(await run([])).toMatchObject({ exitCode: 2, text: expect.stringContaining('either a network or a node') })
  expect(await run(['--key', 'x'])).toMatchObject({
    exitCode: 2,
    text: expect.stringContaining("unknown option '--key'"),
  })
  const wrong = await run(['--rpc-url', anvil.rpcUrl], { DEPLOYER_PRIVATE_KEY: 'secret-but-wrong' })
  expect(wrong).toMatchObject({ exitCode: 1, text: expect.not.stringContaining('secret-but-wrong') })
  const dead = await run(['--rpc-url', 'http://127.0.0.1:9/secret-of-the-node'])
  expect(dead).toMatchObject({ exitCode: 1, text: expect.not.stringContaining('secret-of-the-node') })
})

const deploy = (key?: Hex) => run(['--rpc-url', anvil.rpcUrl], key && { DEPLOYER_PRIVATE_KEY: key })

async function run(args: string[], env: Record<string, string> = {}) {
  let text = ''
  const write = (piece: string) => {
    text += piece
  }
  const program = { command: 'checkout', start: null }
  const io = {
    env: () => env,
    folder: '/',
    program,
    input: systemInput(),
    runtime: systemRuntime,
    write,
    writeError: write,
  }
  return { exitCode: await runCli(['deploy', ...args], io), text }
}

const transactionCount = () => chain.reader.getTransactionCount({ address: chain.sender.account.address })

function connect(rpcUrl: string) {
  const transport = http(rpcUrl)
  const key = generatePrivateKey()
  return {
    key,
    node: createTestClient({ mode: 'anvil', transport }),
    reader: createPublicClient({ transport, pollingInterval: 20 }),
    sender: createWalletClient({ transport, account: privateKeyToAccount(key) }),
  }
}
