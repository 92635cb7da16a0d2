import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { Account } from '../../movements.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { AskNode, SolanaRpc } from '../rpc/solana-rpc.ts'
import { readSolanaMovements } from './solana-movements.ts'

const { signal: never } = new AbortController()
const newAddress = () => Keypair.generate().publicKey.toBase58()
const mint = newAddress()
const network = { name: 'Solana', shortName: 'solana' } as SolanaNetwork

const deposit = (number: number): Account => ({
  number,
  id: `payment ${number}` as PaymentId,
  mode: 'deposit',
  network: 'solana',
  place: newAddress(),
  token: mint,
  splitter: null,
  terms: '',
  createdAtMs: 0,
})

/** A node whose list of `crowded` has 20,000 failed transactions. */
function nodeWith(crowded: string): SolanaRpc {
  const page = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => ({ signature: `${from + index}`, slot: 5, err: 'failed' }))
  const answer = (method: string, [asked, options]: unknown[]): unknown => {
    switch (method) {
      case 'getSlot':
        return 10
      case 'getBlockTime':
        return 1_700_000_000
      case 'getMultipleAccounts':
        return { context: { slot: 10 }, value: (asked as string[]).map(() => null) }
      default: {
        const next = Number((options as { before?: string }).before ?? -1) + 1
        return asked === crowded && next < 20_000 ? page(next) : []
      }
    }
  }
  const ask: AskNode = async (schema, method, params) => schema.parse(answer(method, params))
  return {
    ask: async (schema, method, params) => await ask(schema, method, params),
    onOneNode: async (read) => await read(ask),
  } as Partial<SolanaRpc> as SolanaRpc
}

test('an account that strangers filled with transactions is not compared, and keeps no other from it', async () => {
  const [crowded, quiet] = [deposit(1), deposit(2)]
  const progress: number[] = []
  const request = {
    applied: undefined,
    accounts: async function* () {
      yield [crowded, quiet]
    },
    networks: new Map(),
    tokens: [],
    onProgress: (done: number) => void progress.push(done),
    nowMs: () => 0,
  }
  const address = tokenAccountOf(mint, crowded.place)
  const reader = await readSolanaMovements(network, nodeWith(address), request, never)
  expect(await reader.read([crowded, quiet], never)).toMatchObject([
    { movements: [], unread: `the account ${address} has 20000 transactions or more, too many to read` },
    { movements: [], balances: [{ token: mint, amount: 0n }] },
  ])
  expect(progress).toEqual([1, 2])
})
