import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { SaltNote } from '../../chain/evm/setup/register-master.ts'
import { OperatorError } from '../../core/errors.ts'
import type { Cli } from './cli.ts'

const noteSchema = z.strictObject({
  wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  next: z.string().regex(/^\d{1,78}$/),
  salt: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .nullable(),
})

/** The file beside the configuration where the search for a wallet's salt is noted, so that it can be continued. */
export function saltNotePath(cli: Pick<Cli, 'env' | 'folder'>, wallet: string): string {
  const configuration = cli.env()['BFF_CONFIG']
  const folder = configuration === undefined ? cli.folder : dirname(resolve(cli.folder, configuration))
  return join(folder, `virtual-addresses-${wallet.toLowerCase()}.json`)
}

/** @throws {OperatorError} for a file that the command has not written. */
export function readSaltNote(path: string, wallet: string): SaltNote | undefined {
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

/** Writes the file whole: a reader finds the old note or the new one. */
export function writeSaltNote(path: string, { wallet, next, salt }: SaltNote): void {
  const draft = `${path}.tmp`
  writeFileSync(draft, `${JSON.stringify({ wallet, next: String(next), salt })}\n`)
  renameSync(draft, path)
}
