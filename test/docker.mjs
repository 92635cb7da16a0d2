// Builds the image and runs docker-compose.yml as docs/go-live.md says: the set-up page behind Caddy, `init` beside it, the service that
// then starts, and its move to PostgreSQL. Needs Docker with its plug-in compose, and ports 80 and 443.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const password = randomBytes(12).toString('hex')
const env = {
  ...process.env,
  COMPOSE_PROJECT_NAME: 'checkout-test',
  DOMAIN: 'localhost',
  POSTGRES_PASSWORD: password,
  SECRETS_KEY: randomBytes(32).toString('base64'),
}

/** Runs `docker compose`, with what it prints shown. @throws {Error} when it fails. */
function compose(args, more = {}) {
  process.stdout.write(`\n—— docker compose ${args.join(' ')}\n`)
  const { status, error } = spawnSync('docker', ['compose', ...args], {
    cwd,
    env: { ...env, ...more },
    stdio: 'inherit',
  })
  if (error) throw new Error(`Docker cannot be run: ${error.message}`)
  if (status !== 0) throw new Error(`docker compose ${args.join(' ')} failed`)
}

const checkout = (...args) => compose(['run', '--rm', '-T', 'checkout', ...args])

/** What the service says of itself through Caddy, whose certificate for localhost is its own; undefined while it does not respond. */
const health = () =>
  new Promise((resolve) => {
    const asked = request('https://localhost/api/health', { rejectUnauthorized: false, timeout: 5_000 }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(response.statusCode === 200 ? JSON.parse(text).status : undefined))
    })
    asked.on('error', () => resolve(undefined))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })

async function untilHealth(wanted) {
  const endsAt = Date.now() + 60_000
  let status
  while (Date.now() < endsAt) {
    status = await health()
    if (status === wanted) return
    await sleep(500)
  }
  compose(['logs', '--tail', '20', 'checkout', 'caddy'])
  throw new Error(`The service says "${status}" after a minute, not "${wanted}".`)
}

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop = [
  '--name',
  'Corner Coffee',
  '--public-url',
  'https://localhost',
  '--network',
  'base-sepolia',
  '--wallet',
  `base-sepolia=${wallet}`,
]

try {
  compose(['build'])
  compose(['up', '-d'])
  await untilHealth('setup')
  checkout('init', '--folder', '/data', '--trusted-proxy', '172.30.87.0/24', '--offline', ...shop)
  await untilHealth('ok')
  compose(['stop', 'checkout'])
  compose(['--profile', 'postgres', 'up', '-d', '--wait', 'postgres'])
  const database = (who) => `postgres://${who}@postgres:5432/checkout`
  compose(['run', '--rm', '-T', '-e', `PGPASSWORD=${password}`, 'checkout', 'move', '--to', database('checkout')])
  compose(['--profile', 'postgres', 'up', '-d'], { DATABASE_URL: database(`checkout:${password}`) })
  await untilHealth('ok')
  const { stdout } = spawnSync('docker', ['compose', 'logs', 'checkout'], { cwd, env, encoding: 'utf8' })
  if (!stdout.includes(`"database":"${database('checkout')}"`)) throw new Error('The service is not on PostgreSQL.')
  process.stdout.write('\nThe image works, on SQLite and on PostgreSQL.\n')
} finally {
  compose(['--profile', 'postgres', 'down', '-v'])
}
