import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRemoteAccount } from './remote-account.ts'
import { createSigner, signerOf } from './signer.ts'

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const transaction = {
  chainId: 31_337,
  nonce: 0,
  to: '0x00000000000000000000000000000000000000AA',
  data: '0x1234',
  gas: 60_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const

type Asked = { authorization: string | undefined; fields: Record<string, Hex> }

let asked: Asked[]
let answer: (asked: TransactionSerializableEIP1559) => unknown
let signer: { url: string; close(): Promise<void> }

beforeEach(async () => {
  asked = []
  answer = async (given) => ({ result: await account.signTransaction(given) })
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { params } = JSON.parse(text) as { params: [Record<string, Hex>] }
    const [fields] = params
    asked.push({ authorization: request.headers.authorization, fields })
    const given = {
      ...{ type: 'eip1559' as const, to: fields['to'], data: fields['data'], chainId: Number(fields['chainId']) },
      ...{ nonce: Number(fields['nonce']), gas: BigInt(fields['gas'] ?? 0), value: BigInt(fields['value'] ?? 0) },
      maxFeePerGas: BigInt(fields['maxFeePerGas'] ?? 0),
      maxPriorityFeePerGas: BigInt(fields['maxPriorityFeePerGas'] ?? 0),
    } as TransactionSerializableEIP1559
    const body = await answer(given)
    response
      .writeHead(200)
      .end(typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', id: 1, ...(body as object) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  signer = { url, close }
})
afterEach(() => signer.close())

const remote = (token: string | null = null) =>
  signerOf(createRemoteAccount({ url: signer.url, address: account.address.toLowerCase(), token }))
const sign = () => remote().signTransaction(transaction)

test('a key in another process signs the same bytes as a local one', async () => {
  const local = await createSigner(key).signTransaction(transaction)
  expect(remote().address).toBe(account.address)
  expect(await sign()).toEqual(local)
  answer = async (given) => ({ result: { raw: await account.signTransaction(given), tx: {} } })
  expect(await remote('let-me-in').signTransaction(transaction)).toEqual(local)
  expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer let-me-in'])
  expect(asked[0]?.fields).toMatchObject({ from: account.address, nonce: '0x0', value: '0x0', chainId: '0x7a69' })
})

test.each([
  ['to', { to: '0x00000000000000000000000000000000000000bb' }],
  ['data', { data: '0x1235' }],
  ['nonce', { nonce: 1 }],
  ['gas', { gas: 60_001n }],
  ['value', { value: 1n }],
  ['maxFeePerGas', { maxFeePerGas: 2_000_000_001n }],
  ['maxPriorityFeePerGas', { maxPriorityFeePerGas: 2n }],
  ['chainId', { chainId: 1 }],
  ['accessList', { accessList: [{ address: account.address, storageKeys: [] }] }],
] as const)('a signer that signs another transaction is refused: %s', async (field, change) => {
  answer = async (given) => ({ result: await account.signTransaction({ ...given, ...change }) })
  await expect(sign()).rejects.toThrow(`The signer signed another transaction: ${field} differs.`)
})

test('a signer with another key is refused', async () => {
  const other = privateKeyToAccount(generatePrivateKey())
  answer = async (given) => ({ result: await other.signTransaction(given) })
  await expect(sign()).rejects.toThrow(`The signer signs for ${other.address}, not for ${account.address}.`)
})

test.each([
  ['refuses', { error: { code: -32_000, message: 'not by my rules' } }, 'The signer refused: not by my rules'],
  ['answers with words', { result: 'signed' }, 'no transaction'],
  ['answers with bytes that are none', { result: '0x02c0' }, 'no transaction'],
  ['answers with a page', '<html>', 'response is invalid (HTTP 200)'],
])('a signer that %s is reported, and nothing is signed', async (_, body, reason) => {
  answer = () => body
  await expect(sign()).rejects.toThrow(reason)
})

test('a signer that is down is reported without its URL', async () => {
  const account = createRemoteAccount({ url: 'http://127.0.0.1:9/secret-path', address: transaction.to, token: null })
  const fault = await signerOf(account)
    .signTransaction(transaction)
    .catch((error: Error) => error)
  expect(String(fault)).toMatch(/The signer did not respond/)
  expect(String(fault)).not.toContain('secret-path')
})

test('the signed transaction is an ordinary one', async () => {
  const { raw } = await sign()
  expect(parseTransaction(raw)).toMatchObject({ type: 'eip1559', nonce: 0, data: '0x1234' })
})
