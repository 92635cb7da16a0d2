import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'bff/dist/main.js')

/** An administrator's commands, as far as the docs use them: on this machine they must not touch anything outside the folder. */
const shims = (home: string): Record<string, string> => ({
  sudo: `while [[ $1 == -* ]]; do [[ $1 == -u ]] && shift; shift; done; exec "$@"`,
  useradd: 'mkdir -p "$3"',
  // The build has its own test; here the script only has to exist.
  npm: `[[ $1 == run ]] && exec "${process.execPath}" -e 'process.exit(process.argv[1] in require("${root}package.json").scripts ? 0 : 1)' "$2"`,
  systemctl: `
settings() { for file in "\${files[@]}"; do sed -n "s/^$1=//p" "$file" | sed "s/%i/$instance/"; done; }
ready() { for _ in $(seq 300); do curl -sf "$1/api/ready" >/dev/null && return 0; sleep 0.1; done; return 1; }
for name in "\${@:2}"; do
  [[ $name == --now ]] && continue
  instance="" url="$SERVICE_URL" files=("${home}/etc/systemd/system/$name.service") pid="${home}/$name.pid"
  if [[ $name == *@* ]]; then
    instance="\${name#*@}" url="http://127.0.0.1:$instance"
    files=("${home}/etc/systemd/system/\${name%@*}@.service" "${home}/etc/systemd/system/\${name%@*}@.service.d/"*.conf)
  fi
  case $1 in
    stop) kill "$(cat "$pid")"; while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.1; done;;
    enable|start)
      variables=$(settings Environment; for file in $(settings EnvironmentFile); do cat "$file"; done)
      setsid env $variables $(settings ExecStart) >>"${home}/$name.log" 2>&1 & echo $! >"$pid"
      ready "$url" || exit 1;;
  esac
done`,
  docker: `
[[ "$1 $2" == "compose up" ]] && grep -q "^DOMAIN=" .env`,
  createuser: `exec "${process.execPath}" "${home}/sql.mjs" "create role $2 login password '$DATABASE_PASSWORD'"`,
  createdb: `exec "${process.execPath}" "${home}/sql.mjs" "create database \${@: -1} owner \${1#*=} encoding 'UTF8' template template0"`,
  curl: `exec "${process.execPath}" "${home}/curl.mjs" "$@"`,
})

/** The curl options that the docs use. Not every machine has curl. */
const curl = `
const [headers, method, body, url] = [{}, undefined, undefined, undefined]
const call = { headers, method, body, url }
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()
  if (arg === '-H') { const [name, ...value] = args.shift().split(':'); headers[name] = value.join(':').trim() }
  else if (arg === '-d') { call.body = args.shift(); call.method ??= 'POST' }
  else if (arg === '-X') call.method = args.shift()
  else if (!arg.startsWith('-')) call.url = arg
}
try {
  const answer = await fetch(call.url, call)
  process.stdout.write(await answer.text() + '\\n')
  process.exitCode = answer.ok ? 0 : 22
} catch { process.exitCode = 7 }
`

/** What PostgreSQL's programs do; not every machine has them. */
const runSql = `
import pg from '${pathToFileURL(createRequire(import.meta.url).resolve('pg')).href}'
const client = new pg.Client(process.env.SERVER_URL)
await client.connect()
await client.query(process.argv[2])
await client.end()
`

export type Ran = { block: string; exitCode: number | null; stdout: string; stderr: string }

/** A folder that acts as a machine, on which the docs' \`sh\` blocks run one after the other, as a reader would type them. */
export function openShell(home: string, env: Readonly<Record<string, string>>) {
  const bin = join(home, 'bin')
  for (const folder of [
    'bin',
    'usr/local/bin',
    'etc/systemd/system',
    'etc/checkout',
    'var/lib',
    'var/backups',
    'repo',
    'tmp',
  ]) {
    mkdirSync(join(home, folder), { recursive: true })
  }
  for (const [name, script] of Object.entries(shims(home))) executable(join(bin, name), `#!/bin/bash\n${script}\n`)
  // As in a release.
  executable(
    join(home, 'repo/stablecoin-checkout-linux-x64'),
    `#!/bin/bash\nexec "${process.execPath}" "${main}" "$@"\n`,
  )
  writeFileSync(join(home, 'curl.mjs'), curl)
  writeFileSync(join(home, 'sql.mjs'), runSql)
  cpSync(join(root, 'docs/deploy'), join(home, 'repo/docs/deploy'), { recursive: true })
  const moved = (words: string) =>
    words.replaceAll(/(?<![\w.])\/(usr\/local\/bin|etc\/systemd|etc\/checkout|var\/lib|var\/backups)/g, `${home}/$1`)
  for (const name of ['stablecoin-checkout.service', 'replica.conf']) {
    const unit = join(home, 'repo/docs/deploy', name)
    writeFileSync(unit, moved(readFileSync(unit, 'utf8')))
    cpSync(unit, join(home, 'repo', name))
  }
  const path = `${bin}:${join(home, 'usr/local/bin')}:${process.env['PATH']}`
  let known: Record<string, string> = { PATH: path, HOME: home, LANG: 'C.UTF-8', ...env }

  return {
    /** @param input - What the reader types. Variables that it sets are kept for the next block. */
    async run(block: string, input: string): Promise<Ran> {
      const after = join(home, 'env')
      const script = `set -aeuo pipefail\ncd "${home}/repo"\n${moved(block)}\nenv -0 >"${after}"\n`
      const child = spawn('bash', ['-c', script], { env: known, stdio: ['pipe', 'pipe', 'pipe'] })
      child.stdin.end(input)
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      const [exitCode, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
      if (exitCode === 0) known = variables(readFileSync(after, 'utf8'))
      return { block, exitCode, stdout, stderr }
    },
  }
}

/** The docs' fenced \`sh\` blocks, in order. */
export function shellBlocks(file: string): string[] {
  return [...readFileSync(join(root, 'docs', file), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block = '']) => block,
  )
}

const variables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\0').flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )

function executable(path: string, script: string): void {
  writeFileSync(path, script)
  chmodSync(path, 0o755)
}
