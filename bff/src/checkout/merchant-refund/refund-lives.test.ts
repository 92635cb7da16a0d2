import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const livesMax = 12
const stepsMax = 12
const reorgMax = 5
const { abi } = testUsdc

/** Numbers from 0 to below 1 that follow from the seed. */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

let stage: ContractStage
let dice = createDice(1)
/** The newest block that the node has read badly: it withholds logs only of blocks that it reads for the first time. */
let withheldTo = Number.MAX_SAFE_INTEGER
beforeAll(async () => {
  const transfers: ContractStage['evm']['transfers'] = async (range, signal) => {
    const withholds = range.from > withheldTo && dice() < 0.4
    if (withholds) withheldTo = range.to
    const found = await stage.evm.transfers(withholds ? { ...range, onProven: () => undefined } : range, signal)
    return withholds ? found.filter(() => dice() < 0.5) : found
  }
  stage = await openContractStage({ adapter: { transfers } })
  await rpc('anvil_setBalance', stage.merchantAccount.address, '0x8ac7230489e80000')
  for (const { address } of [stage.merchantAccount, stage.customer])
    await call('mint', [address, 10_000_000_000n], stage.tokenOwner)
})
afterAll(() => stage.close())

const rpc = (method: string, ...params: unknown[]): Promise<unknown> => stage.chain.request({ method, params } as never)
const call = (functionName: 'mint' | 'transfer' | 'approve', args: [Hex, bigint], account = stage.merchantAccount) =>
  stage.send(
    { to: stage.network.tokens[0]?.address as Hex, data: encodeFunctionData({ abi, functionName, args }) },
    account as never,
  )

type Refund = { id: string; amount: string; paid: string; call: { contractAddress: Hex; before: { data: Hex } } | null }
type Own = Refund & { address: Hex }

async function ask(path: string, body?: unknown) {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, refund: ((await response.json()) as { refund: Refund }).refund }
}

async function mine(blocks: number): Promise<void> {
  await stage.chain.mine({ blocks })
  await stage.watch()
}

/** Replaces the newest blocks, at most `depth` and none up to `base`: their transactions land again, some in later blocks. */
async function move(depth: number, base: number): Promise<void> {
  await stage.watch()
  const head = Number(await stage.chain.getBlockNumber())
  const replaced = Math.min(depth, head - base)
  if (replaced <= 0) return
  const moved: [unknown, number][] = []
  let place = 0
  for (let number = head - replaced + 1; number <= head; number++) {
    const { transactions } = await stage.chain.getBlock({ blockNumber: BigInt(number) })
    for (const hash of transactions) {
      if (dice() < 0.4) place = Math.min(replaced - 1, place + 1)
      moved.push([await rpc('eth_getRawTransactionByHash', hash), place])
    }
  }
  await rpc('anvil_reorg', replaced, moved)
  if (dice() < 0.5) await mine(1)
}

/** One payment, of which the merchant refunds parts to two addresses. @returns the refunds, and what was paid to each address. */
async function live(history: string[]): Promise<{ refunds: Own[]; sent: Map<Hex, bigint> }> {
  withheldTo = Number.MAX_SAFE_INTEGER
  const payment = await stage.create()
  await stage.pay(payment)
  await mine(confirmations + 1)
  const addresses = [0, 1].map(() => privateKeyToAccount(generatePrivateKey()).address)
  const sent = new Map<Hex, bigint>(addresses.map((address) => [address, 0n]))
  const refunds: Own[] = []
  const upTo = (most: number) => 1 + Math.floor(dice() * most)
  const add = (address: Hex, amount: bigint) => sent.set(address, (sent.get(address) ?? 0n) + amount)
  const base = Number(await stage.chain.getBlockNumber())
  withheldTo = dice() < 0.5 ? base : Number.MAX_SAFE_INTEGER
  for (let step = 0; step < stepsMax; step++) {
    const one = refunds[upTo(refunds.length) - 1]
    const amount = BigInt(upTo(3)) * 1_000_000n
    const kind = upTo(9)
    history.push(`${kind} ${one?.id.slice(0, 4)} ${amount}`)
    if (kind <= 2) {
      const address = addresses[upTo(2) - 1] as Hex
      const { status, refund } = await ask(`/payments/${payment.id}/refunds`, { amount: `${upTo(3)}.00`, address })
      if (status === 200) refunds.push({ ...refund, address })
      // A transfer that was never read before does not count in a block before the request, where a reorg could move it.
      await mine(reorgMax)
    } else if (kind === 3) await move(upTo(reorgMax), base)
    else if (kind === 4) await mine(upTo(3))
    else if (one === undefined) continue
    else if (kind <= 6) {
      await call('transfer', [one.address, amount])
      add(one.address, amount)
    } else if (kind === 7) {
      const { transactionHash } = await call('transfer', [one.address, amount], stage.customer as never)
      await mine(upTo(confirmations))
      if ((await ask(`/refunds/${one.id}/verify`, { transactionHash })).status === 200) add(one.address, amount)
    } else if (kind === 8 && one.call) {
      const { contractAddress, before } = one.call
      await call('approve', [contractAddress, 10n ** 12n])
      const { status } = await stage.send({ to: contractAddress, data: before.data }, stage.merchantAccount as never)
      if (status === 'success') add(one.address, BigInt(Number(one.amount) * 1_000_000))
    } else await ask(`/refunds/${one.id}/cancel`, {})
  }
  withheldTo = Number.MAX_SAFE_INTEGER
  for (let rounds = 0; rounds < 8; rounds++) await mine(confirmations)
  return { refunds, sent }
}

test('whatever a reorg moves, a node withholds and others pay, refunds count what was paid for them, and nothing twice', async () => {
  for (let seed = 1; seed <= livesMax; seed++) {
    dice = createDice(seed * 7_919)
    const history: string[] = []
    const { refunds, sent } = await live(history)
    const counted = new Map<Hex, bigint>([...sent.keys()].map((address) => [address, 0n]))
    for (const { id, address } of refunds) {
      const { paid } = (await ask(`/refunds/${id}`)).refund
      counted.set(address, (counted.get(address) ?? 0n) + BigInt(Number(paid) * 1_000_000))
    }
    expect(counted, `${seed}: ${history.join(', ')}`).toEqual(sent)
  }
}, 120_000)
