import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { build } from 'rolldown'
import { launch } from './process.ts'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = join(root, 'demo/examples/medusa')

/** 721 MB in 1,064 packages, which take about a minute. */
const packages = ['framework', 'medusa', 'cli'].map((name) => `@medusajs/${name}@2.21.2`)
const peers = ['@swc/core@1.7.42', 'posthog-node@5.11.0']

/** The seed's output. */
type Seed = { key: string; secret: string; region: string; variant: string }

type Settings = { folder: string; database: string; logPath: string; env: Record<string, string> }

/**
 * Starts a real Medusa with the provider, and one product for 19.99 dollars.
 * @param folder - Medusa's packages are installed there if missing.
 */
export async function openMedusa({ folder, database, logPath, env: checkout }: Settings) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...checkout,
    DATABASE_URL: database,
    BACKEND_URL: url,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'development',
  }
  const place = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env } }
  const bin = join(folder, 'node_modules/.bin/medusa')

  function run(command: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, { ...place, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stdout}${stderr}`)
    return stdout
  }

  const module = join(folder, 'src/modules/stablecoin-checkout')
  mkdirSync(module, { recursive: true })
  if (!existsSync(bin)) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }))
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packages, ...peers])
  }
  await build({
    input: join(example, 'index.ts'),
    platform: 'node',
    external: /^@medusajs\//,
    resolve: { alias: { '@stablecoin-checkout/client': join(root, 'bff/clients/node/src/index.ts') } },
    tsconfig: false,
    output: { file: join(module, 'index.js'), format: 'cjs', exports: 'named' },
    logLevel: 'warn',
  })
  copyFileSync(join(example, 'testing/shop/medusa-config.cjs'), join(folder, 'medusa-config.js'))
  copyFileSync(join(example, 'testing/shop/seed.cjs'), join(folder, 'src/seed.js'))
  run(bin, ['db:migrate', '--skip-links'])
  run(bin, ['db:sync-links', '--execute-all'])
  const [, seed = ''] = /^SEED (.*)$/m.exec(run(bin, ['exec', './src/seed.js'])) ?? []
  const server = launch({ file: bin, args: ['start', '--port', String(port)], cwd: folder, env: place.env, logPath })
  await until('Medusa answers', async () => {
    if (server.exitCode() !== undefined) throw new Error(`Medusa ended: see ${logPath}`)
    return await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  const { key, secret, region, variant } = JSON.parse(seed) as Seed

  async function call(path: string, auth: Record<string, string>, body?: object) {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { headers: { 'Content-Type': 'application/json', ...auth }, ...init })
    const answer = (await response.json()) as Record<string, Record<string, unknown>>
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

  /** A storefront's call. */
  const store = (path: string, body?: object) => call(`/store${path}`, { 'x-publishable-api-key': key }, body)
  /** A call of the merchant's admin. */
  const admin = (path: string, body?: object) =>
    call(`/admin${path}`, { Authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` }, body)

  return { url, store, admin, region, variant, stop: server.stop }
}
