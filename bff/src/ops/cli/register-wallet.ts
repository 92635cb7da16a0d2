import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { checksumAddress } from '../../chain/evm/evm-family.ts'
import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import {
  describeRegistration,
  registerMaster,
  type SaltNote,
  walletAccount,
} from '../../chain/evm/setup/register-master.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { OperatorError, ValidationError } from '../../core/errors.ts'
import type { EvmNetwork } from '../../core/families.ts'
import type { Answer, Cli } from './cli.ts'
import { progressOf } from './progress.ts'

/** Registers a wallet for virtual addresses. An interrupted search continues where its note says. */
export async function registerWallet(cli: Cli, network: EvmNetwork, text: string): Promise<Answer> {
  const wallet = checksumAddress(text) as SaltNote['wallet'] | undefined
  if (wallet === undefined) throw new ValidationError('--wallet must be an address: 0x and 40 hex digits')
  const key = cli.env()['WALLET_PRIVATE_KEY']
  const path = saltNotePath(cli, wallet)
  const progress = progressOf(cli)
  const registering = registerMaster({
    pool: createEvmPool(network, commandPoolDeps(cli.runtime)),
    network,
    wallet,
    account: key ? walletAccount(key, wallet) : null,
    note: readSaltNote(path, wallet),
    saveNote: async (note) => writeSaltNote(path, note),
    onProgress: progress.show,
    signal: new AbortController().signal,
  })
  const registration = await registering.finally(progress.end)
  return { json: registration, text: describeRegistration(network, registration) }
}

const noteSchema = z.strictObject({
  wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  next: z.string().regex(/^\d{1,78}$/),
  salt: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .nullable(),
})

/** The file beside the configuration that notes the progress of the search for a wallet's salt. */
function saltNotePath(cli: Pick<Cli, 'env' | 'folder'>, wallet: string): string {
  const configuration = cli.env()['BFF_CONFIG']
  const folder = configuration === undefined ? cli.folder : dirname(resolve(cli.folder, configuration))
  return join(folder, `virtual-addresses-${wallet.toLowerCase()}.json`)
}

/** @throws {OperatorError} when the command has not written the file. */
function readSaltNote(path: string, wallet: string): SaltNote | undefined {
  if (!existsSync(path)) return undefined
  const note = parse(readFileSync(path, 'utf8'))
  if (note?.wallet.toLowerCase() !== wallet.toLowerCase())
    throw new OperatorError(`${path} is not a note of the search for ${wallet}. Delete it to start again.`)
  return { wallet: note.wallet as SaltNote['wallet'], next: BigInt(note.next), salt: note.salt as SaltNote['salt'] }
}

function parse(text: string): z.infer<typeof noteSchema> | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Replaces the file at once: a reader finds the old note or the new one. */
function writeSaltNote(path: string, { wallet, next, salt }: SaltNote): void {
  const draft = `${path}.tmp`
  writeFileSync(draft, `${JSON.stringify({ wallet, next: String(next), salt })}\n`)
  renameSync(draft, path)
}
