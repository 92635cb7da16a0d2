import { AccountLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { Account } from '../../movements.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaTerms } from '../facts/solana-deposit-terms.ts'
import { formatSolanaSplitTerms } from '../facts/solana-split-terms.ts'
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

const [merchant, platform, payer] = [newAddress(), newAddress(), newAddress()]
const genesisHash = 'genesis'
/** Final slot of the comparison, and the later one in which balances are read. */
const [atSlot, balancesSlot] = [100, 110]

/** Balance of an owner's account before and after; `null`: the account is not there. */
type Change = { owner: string; before: bigint | null; after: bigint | null; newOwner?: string; account?: string }
type Landed = { signature: string; slot: number; changes: Change[]; err?: unknown }

const accountOf = ({ owner, account }: Change) => account ?? tokenAccountOf(mint, owner)
const depositTerms = (changes: { platform?: string } = {}) =>
  formatSolanaTerms({
    ...{ genesisHash, mint, amount: 1_000n, least: 1_000n, merchant, platform, feeBps: 100 },
    ...{ deadlineSeconds: 900, salt: '07'.repeat(32), ...changes },
  })

function responseOf({ signature, slot, changes, err = null }: Landed) {
  const side = (of: (change: Change) => { owner: string; amount: bigint | null }) =>
    changes.flatMap((change, accountIndex) => {
      const { owner, amount } = of(change)
      return amount === null ? [] : [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount) } }]
    })
  const message = { accountKeys: changes.map(accountOf), header: { numRequiredSignatures: 1 } }
  return {
    ...{ slot, blockTime: slot, transaction: { signatures: [signature], message } },
    meta: {
      err,
      preTokenBalances: side(({ owner, before }) => ({ owner, amount: before })),
      postTokenBalances: side(({ owner, newOwner, after }) => ({ owner: newOwner ?? owner, amount: after })),
    },
  }
}

function stateOf(owner: string, amount: bigint) {
  const data = Buffer.alloc(AccountLayout.span)
  const none = { delegateOption: 0, delegate: PublicKey.default, delegatedAmount: 0n, closeAuthorityOption: 0 } as const
  const rest = { isNativeOption: 0, isNative: 0n, closeAuthority: PublicKey.default, state: 1 } as const
  AccountLayout.encode({ ...none, ...rest, mint: new PublicKey(mint), owner: new PublicKey(owner), amount }, data)
  return { owner: TOKEN_PROGRAM_ID.toBase58(), data: [data.toString('base64'), 'base64'], lamports: 1 }
}

/** What is read of one account whose transactions these are. `headSlots`: the final slots that the node names, in order. */
async function readAccount(
  account: Account,
  landed: Landed[],
  { state = null, headSlots = [atSlot] }: { state?: object | null; headSlots?: number[] } = {},
) {
  const slots = [...headSlots]
  const answer = (method: string, [asked]: unknown[]): unknown => {
    switch (method) {
      case 'getSlot':
        return slots.length > 1 ? slots.shift() : slots[0]
      case 'getBlockTime':
        return 1_700_000_000
      case 'getMultipleAccounts':
        return { context: { slot: balancesSlot }, value: (asked as string[]).map(() => state) }
      case 'getTransaction': {
        const found = landed.find(({ signature }) => signature === asked)
        return found ? responseOf(found) : null
      }
      default:
        return landed.map(({ signature, slot, err = null }) => ({ signature, slot, err })).reverse()
    }
  }
  const ask: AskNode = async (schema, method, params) => schema.parse(answer(method, params))
  const rpc = {
    ask: async (schema, method, params) => await ask(schema, method, params),
    onOneNode: async (read) => await read(ask),
  } as Partial<SolanaRpc> as SolanaRpc
  const request = {
    ...{ applied: undefined, networks: new Map(), tokens: [], onProgress: () => undefined, nowMs: () => 0 },
    accounts: async function* () {
      yield [account]
    },
  }
  const reader = await readSolanaMovements(network, rpc, request, never)
  const [reading] = await reader.read([account], never)
  const flows = reading?.movements.map(({ txId, logIndex: _, block: __, timeMs: ___, token: ____, ...flow }) => [
    txId,
    flow,
  ])
  return { reader, reading, flows }
}

const paidIn = (owner: string, signature: string, slot: number, amount = 1_000n): Landed => ({
  ...{ signature, slot },
  changes: [
    { owner: payer, before: 5_000n, after: 5_000n - amount },
    { owner, before: 0n, after: amount },
  ],
})

test('a deposit is read up to the final slot; what came after it is taken off the balance that was read later', async () => {
  const account = { ...deposit(1), terms: depositTerms() }
  const landed = [
    paidIn(account.place, 'second', 100, 20n),
    paidIn(account.place, 'first', 99, 10n),
    paidIn(account.place, 'later', 101, 7n),
    paidIn(account.place, 'unread', 111, 3n),
    { ...paidIn(account.place, 'failed', 98, 5n), err: 'failed' },
  ]
  const { reader, reading, flows } = await readAccount(account, landed, { state: stateOf(account.place, 37n) })
  expect(flows).toEqual([
    ['first', { kind: 'in', amount: 10n }],
    ['second', { kind: 'in', amount: 20n }],
  ])
  expect(reading?.movements.map(({ block, timeMs }) => [block, timeMs])).toEqual([
    [99, 99_000],
    [100, 100_000],
  ])
  expect(reading?.balances).toEqual([{ token: mint, amount: 30n }])
  expect([...(reading?.blocks ?? [])].toSorted()).toEqual([
    ['failed', 98],
    ['first', 99],
    ['later', 101],
    ['second', 100],
  ])
  expect(reader.at).toMatchObject({ number: atSlot, timeMs: 1_700_000_000_000 })
})

test('an account that belongs to another owner holds nothing of ours', async () => {
  const account = { ...deposit(1), terms: depositTerms() }
  const { reading } = await readAccount(account, [], { state: stateOf(payer, 9n) })
  expect(reading?.balances).toEqual([{ token: mint, amount: 0n }])
})

test('the chain is unchanged at the same final slot, and not behind it', async () => {
  const account = { ...deposit(1), terms: depositTerms() }
  const same = await readAccount(account, [], { headSlots: [atSlot, atSlot] })
  await expect(same.reader.verifyUnchanged(never)).resolves.toBeUndefined()
  const behind = await readAccount(account, [], { headSlots: [atSlot, atSlot - 1] })
  await expect(behind.reader.verifyUnchanged(never)).rejects.toThrow('the node is behind the slot read before')
})

describe('what leaves a deposit’s account', () => {
  const account = { ...deposit(1), terms: depositTerms() }
  const own = account.place
  const leaves = async (changes: Change[], given: Account = account, before: bigint | null = 1_000n) => {
    const from = { owner: own, before, after: 0n }
    const { flows } = await readAccount(given, [{ signature: 'tx', slot: 50, changes: [from, ...changes] }])
    return flows?.map(([, flow]) => flow)
  }
  const gains = (owner: string, amount: bigint): Change => ({ owner, before: 0n, after: amount })
  const settled = { kind: 'settled', isFeeParked: false }

  test('is its settlement, if merchant and platform together get all of it', async () => {
    expect(await leaves([gains(merchant, 990n), gains(platform, 10n)])).toEqual([
      { ...settled, merchantAmount: 990n, feeAmount: 10n },
    ])
    expect(await leaves([gains(merchant, 1_000n)])).toEqual([{ ...settled, merchantAmount: 1_000n, feeAmount: 0n }])
    expect(await leaves([gains(merchant, 980n), gains(platform, 10n), gains(payer, 10n)])).toEqual([
      { kind: 'gone', amount: 1_000n },
    ])
  })

  test('is its settlement with the fee by the terms, if one wallet is both', async () => {
    const one = { ...account, terms: depositTerms({ platform: merchant }) }
    expect(await leaves([gains(merchant, 1_000n)], one)).toEqual([{ ...settled, merchantAmount: 990n, feeAmount: 10n }])
  })

  test('is the parked share, if the platform alone gets it, and a refund, if one other owner does', async () => {
    expect(await leaves([gains(platform, 1_000n)])).toEqual([{ kind: 'feePaid', amount: 1_000n }])
    expect(await leaves([gains(payer, 1_000n)])).toEqual([{ kind: 'sentBack', to: payer, amount: 1_000n }])
    expect(await leaves([gains(payer, 999n)])).toEqual([{ kind: 'gone', amount: 1_000n }])
    expect(await leaves([gains(payer, 500n), gains(newAddress(), 500n)])).toEqual([{ kind: 'gone', amount: 1_000n }])
  })

  test('is gone whole with the account, if its ownership is given away; a closed account only paid', async () => {
    const read = (change: Partial<Change>, changes: Change[] = []) =>
      readAccount(account, [
        { signature: 'tx', slot: 50, changes: [{ owner: own, before: 1_000n, after: 0n, ...change }, ...changes] },
      ]).then(({ flows }) => flows?.map(([, flow]) => flow))
    expect(await read({ newOwner: payer, after: 1_000n })).toEqual([{ kind: 'gone', amount: 1_000n }])
    expect(await read({ after: null }, [gains(payer, 1_000n)])).toEqual([
      { kind: 'sentBack', to: payer, amount: 1_000n },
    ])
    expect(await read({ after: 1_000n })).toEqual([])
  })
})

describe('a wallet payment', () => {
  const reference = newAddress()
  const walletAccount = (changes: { platform?: string; feeBps?: number } = {}): Account => ({
    ...{ ...deposit(1), mode: 'contract', place: reference },
    terms: formatSolanaSplitTerms({
      ...{ family: 'solana', genesisHash, mint, decimals: 6, amount: 1_000n, paymentId: 'a', merchant, platform },
      ...{ feeBps: 100, deadlineSeconds: 900, ...changes },
    }),
  })
  const paid = async (toMerchant: bigint, toPlatform: bigint, account = walletAccount()) => {
    const changes = [
      { owner: payer, before: 5_000n, after: 5_000n - toMerchant - toPlatform },
      { owner: merchant, before: 0n, after: toMerchant },
      { owner: platform, before: 0n, after: toPlatform },
    ]
    const { flows, reading } = await readAccount(account, [{ signature: 'tx', slot: 50, changes }])
    expect(reading?.balances).toEqual([])
    return flows?.map(([, flow]) => flow)
  }
  const both = (merchantAmount: bigint, feeAmount: bigint) => [
    { kind: 'in', amount: merchantAmount + feeAmount },
    { kind: 'settled', merchantAmount, feeAmount, isFeeParked: false },
  ]

  test('is paid if merchant and platform each get their share at least', async () => {
    expect(await paid(990n, 10n)).toEqual(both(990n, 10n))
    expect(await paid(991n, 12n)).toEqual(both(991n, 12n))
    expect([await paid(989n, 11n), await paid(991n, 9n)]).toEqual([[], []])
  })

  test('without a fee is paid by what the merchant gets, and of one wallet the fee is a part', async () => {
    expect(await paid(1_000n, 7n, walletAccount({ feeBps: 0 }))).toEqual(both(1_000n, 0n))
    const one = walletAccount({ platform: merchant })
    expect(await paid(1_001n, 0n, one)).toEqual(both(991n, 10n))
    expect(await paid(995n, 0n, one)).toEqual([])
  })
})
