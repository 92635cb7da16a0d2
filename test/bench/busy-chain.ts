import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'

/**
 * A node of a busy chain, because none can be had here: every look at the head finds a new block with 500 transfers of the
 * watched token, none of them to us, to other accounts in each of some blocks. Answers are made before they are asked for, so that
 * its own time stays small.
 */
const transfersPerBlock = 500
const differentBlocks = 40
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

const tokenBalancesBytes = 0x4c

const word = (value: number) => value.toString(16).padStart(64, '0')
const hashOf = (number: number) => `0x${word(number)}`
const time = Math.floor(Date.now() / 1000)

const header = (number: number) => ({
  number: `0x${number.toString(16)}`,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: `0x${(time + number).toString(16)}`,
})

/** Spread as the hashes are that addresses are made of. */
const accountOf = (number: number) =>
  `0x${createHash('sha256').update(String(number)).digest('hex').slice(24).padStart(64, '0')}`

const logsOf = (place: number) =>
  Array.from({ length: transfersPerBlock }, (_, index) => ({
    address: token,
    topics: [transferTopic, `0x${word(index + 1)}`, accountOf(place * transfersPerBlock + index)],
    data: `0x${word(25_000_000 + index)}`,
    blockNumber: '0x1',
    blockHash: hashOf(1),
    blockTimestamp: '0x1',
    transactionHash: hashOf(index + 1_000),
    transactionIndex: `0x${index.toString(16)}`,
    logIndex: `0x${index.toString(16)}`,
    removed: false,
  }))

const blocks = Array.from({ length: differentBlocks }, (_, place) => JSON.stringify(logsOf(place)))

/**
 * The words that a read of states returns (`evm-balances.ts`): one for each address behind the code, whose length is its second byte. All
 * are 0: an address holds nothing, and its contract is not deployed. A token comes before the addresses.
 */
function wordsOf({ to, data }: { to?: string; data: string }): number {
  if (to !== undefined) return 1
  const codeBytes = Number.parseInt(data.slice(4, 6), 16)
  const words = (data.length - 2 - 2 * codeBytes) / 64
  return codeBytes === tokenBalancesBytes ? words - 1 : words
}

let head = 1_000
let calls = 0

function answer(method: string, params: unknown[]): string {
  if (method === 'eth_getBlockByNumber') {
    if (params[0] === 'latest') head += 1
    return JSON.stringify(header(params[0] === 'latest' ? head : Number(params[0])))
  }
  if (method === 'eth_call')
    return JSON.stringify(`0x${word(0).repeat(wordsOf(params[0] as { to?: string; data: string }))}`)
  if (method === 'eth_chainId') return JSON.stringify(`0x${devnetFacts.chainId.toString(16)}`)
  if (method !== 'eth_getLogs') throw new Error(`The busy chain does not answer ${method}`)
  const [filter] = params as [{ topics: unknown[] }]
  return filter.topics[2] ? '[]' : (blocks[head % differentBlocks] ?? '[]')
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] }
    calls += 1
    response.setHeader('Content-Type', 'application/json')
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${answer(method, params)}}`)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('message', () => process.send?.({ calls }))
