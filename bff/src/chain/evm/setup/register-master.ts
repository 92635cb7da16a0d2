import { createWalletClient, type Hex, publicActions } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { OperatorError, ValidationError } from '../../../core/errors.ts'
import type { EvmNetwork } from '../../../core/families.ts'
import { minedReceipt } from '../deploy/mined-receipt.ts'
import { type EvmPool, poolTransport } from '../rpc/evm-pool.ts'
import { attemptsExpected, type Mined, mineSalt } from '../virtual/mine-salt.ts'
import { readMaster, registerCall } from '../virtual/registry.ts'
import { masterIdOf, mayBeMaster } from '../virtual/virtual-address.ts'

/** Progress of a search for a wallet's salt. `salt` is null until one is found. */
export type SaltNote = { wallet: Hex; next: bigint; salt: Hex | null }

export type Registration = {
  wallet: Hex
  salt: Hex
  masterId: Hex
  /** `missing`: `call` must still be sent from the wallet. */
  state: 'there' | 'missing' | 'registered'
  call: { to: Hex; data: Hex }
}

export type Registering = {
  pool: EvmPool
  network: EvmNetwork
  wallet: Hex
  /** Signs the registration; null: nothing is sent. */
  account: PrivateKeyAccount | null
  /** The stored note; undefined for the first search. */
  note: SaltNote | undefined
  saveNote(note: SaltNote): Promise<void>
  onProgress(label: string, done: number, total: number): void
  signal: AbortSignal
}

/** @throws {ValidationError} when it is not the wallet's private key. The message never contains the input. */
export function walletAccount(key: string, wallet: Hex): PrivateKeyAccount {
  let account: PrivateKeyAccount
  try {
    account = privateKeyToAccount(key.trim() as Hex)
  } catch {
    throw new ValidationError('WALLET_PRIVATE_KEY must be 0x and 64 hex digits, on the curve')
  }
  if (account.address.toLowerCase() === wallet.toLowerCase()) return account
  throw new ValidationError(`WALLET_PRIVATE_KEY is the key of ${account.address}, not of ${wallet}`)
}

/**
 * Finds a salt for the wallet and, given its key, registers the wallet. Safe to repeat and to stop: the search continues from the
 * stored note.
 * @throws {OperatorError} with what to do; or the node's error.
 */
export async function registerMaster(registering: Registering): Promise<Registration> {
  const { pool, network, wallet, account, saveNote, signal } = registering
  if (!mayBeMaster(wallet)) throw new ValidationError(`${wallet} cannot be a wallet with virtual addresses`)
  let note = registering.note ?? { wallet, next: 0n, salt: null }
  // Fail early: without a registry, the search would be wasted.
  await readMaster(pool, network, '0x00000000', signal)
  for (;;) {
    const salt = note.salt ?? (await searchSalt(registering, note)).salt
    note = { ...note, salt }
    await saveNote(note)
    const registration = { wallet, salt, masterId: masterIdOf(wallet, salt), call: registerCall(salt) }
    const master = await readMaster(pool, network, registration.masterId, signal)
    if (master?.toLowerCase() === wallet.toLowerCase()) return { ...registration, state: 'there' }
    if (master === null && account === null) return { ...registration, state: 'missing' }
    if (master === null && account !== null) {
      await send(registering, account, registration.call)
      const registered = await readMaster(pool, network, registration.masterId, signal)
      if (registered?.toLowerCase() === wallet.toLowerCase()) return { ...registration, state: 'registered' }
      throw new OperatorError(`${network.name} does not show the registration of ${wallet} yet. Run the command again.`)
    }
    // Another wallet has this id, as happens to one wallet in four billion.
    note = { wallet, next: BigInt(salt) + 1n, salt: null }
  }
}

function searchSalt({ wallet, saveNote, onProgress, signal }: Registering, { next: from }: SaltNote): Promise<Mined> {
  // The search has no fixed end: show the expected number of attempts.
  const show = (next: bigint) => onProgress('salt', Math.min(Number(next), attemptsExpected - 1), attemptsExpected)
  show(from)
  return mineSalt({
    wallet,
    from,
    signal,
    onTried: (next) => saveNote({ wallet, next, salt: null }),
    onProgress: show,
  })
}

/** viem's own default. */
const receiptTimeoutMs = 180_000

async function send({ pool, network, signal }: Registering, account: PrivateKeyAccount, call: { to: Hex; data: Hex }) {
  const client = createWalletClient({ transport: poolTransport(pool, signal), account }).extend(publicActions)
  const hash = await client.sendTransaction({ ...call, chain: null })
  const receipt = await minedReceipt(client, hash, { pollMs: 250, timeoutMs: receiptTimeoutMs })
  if (receipt.status !== 'success')
    throw new OperatorError(`${network.name} refused the registration: the transaction ${hash} was reverted.`)
}

const stateTexts = {
  there: 'is registered',
  registered: 'is registered now',
  missing: 'is not registered yet',
} as const

export function describeRegistration({ name, shortName }: EvmNetwork, registration: Registration): string {
  const { wallet, salt, masterId, state, call } = registration
  const lines = [`${wallet} ${stateTexts[state]} on ${name}, with the id ${masterId}.`]
  if (state === 'missing') {
    lines.push(
      'Register it in the dashboard, under Wallets, with a wallet in the browser:',
      `  ${wallet}:${salt}`,
      'Or send this call from the wallet, without value, then run the command again; or set WALLET_PRIVATE_KEY to its key:',
      `  to    ${call.to}`,
      `  data  ${call.data}`,
    )
  } else {
    lines.push('Name it as the wallet of a merchant:', `  wallets set <merchant-id> ${shortName}=${wallet}:${salt}`)
  }
  return lines.join('\n')
}
