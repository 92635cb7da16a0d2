import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DockerfileParser } from 'dockerfile-ast'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from './harness/bff.ts'
import { majorReleases } from './harness/node-of-release.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const program = '/usr/local/bin/stablecoin-checkout'

type Compose = {
  services: Partial<
    Record<
      'checkout' | 'caddy' | 'postgres',
      {
        build?: string
        environment: string[] | Record<string, string>
        volumes: string[]
        read_only?: boolean
        tmpfs?: string[]
        profiles?: string[]
      }
    >
  >
  networks: { default: { ipam: { config: { subnet: string }[] } } }
  volumes: Record<string, null>
}

const dockerfile = DockerfileParser.parse(read('Dockerfile'))
const instructions = dockerfile.getInstructions().map((one) => ({
  name: one.getKeyword(),
  words: one.getArguments().map((argument) => argument.getValue()),
  text: one.toString(),
}))
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
/** The words of an instruction of the image, in the form of a JSON array or not. */
const inImage = (name: string): string[] =>
  lastStage
    .filter((one) => one.name === name)
    .flatMap(({ words }) => words.map((word) => word.replaceAll(/[[\]",]/g, '')))

/** What git would give a builder. */
const tracked = new Set(spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.split('\n'))
const isTracked = (path: string) => tracked.has(path) || [...tracked].some((one) => one.startsWith(`${path}/`))

test('the Dockerfile copies only what is in the repository, and what reaches the builder', () => {
  const sources = instructions
    .filter(({ name, text }) => name === 'COPY' && !text.includes('--from'))
    .flatMap(({ words }) => words.slice(0, -1))
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter((path) => !isTracked(path))).toEqual([])
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  expect(sources.filter((path) => !allowed.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([])
})

test('the Dockerfile builds by scripts that exist, every workspace among them, with the Node that the binary carries', () => {
  const { scripts, workspaces } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>
    workspaces: string[]
  }
  const runs = instructions.filter(({ name }) => name === 'RUN').map(({ words }) => words.join(' '))
  for (const script of runs.flatMap((text) => /^npm run (\S+)/.exec(text)?.[1] ?? []))
    expect(scripts).toHaveProperty(script)
  expect(runs).toContain('node install.mjs')
  const copied = instructions.flatMap(({ words }) => words)
  for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`)
  const image = /node:(\d+)\.\d+\.\d+/.exec(instructions[0]?.words.join(' ') ?? '')
  expect(image?.[1]).toBe(/^const carried = (\d+)$/m.exec(read('bff/binary/build.mjs'))?.[1])
})

type Manifest = {
  name: string
  version: string
  private?: boolean
  scripts: Record<string, string>
  workspaces: string[]
}
const manifestOf = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest

test('a release publishes every package that is not private, built before, under the version of its tag', () => {
  const { workspaces, version, scripts } = manifestOf('.')
  for (const workspace of workspaces) expect([workspace, manifestOf(workspace).version]).toEqual([workspace, version])
  const release = parse(read('.github/workflows/release.yml')) as {
    jobs: Record<string, { steps: { run?: string }[] }>
  }
  const commandsOf = (job: string) => (release.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? [])
  expect(commandsOf('test')[0]).toBe(`test "v$(node -p 'require("./package.json").version')" = "$GITHUB_REF_NAME"`)

  const published = workspaces.filter((workspace) => manifestOf(workspace).private !== true)
  expect(published).toEqual(['bff/clients/node', 'widget'])
  const commands = commandsOf('npm')
  const builds = commands.slice(0, 2).map((command) => scripts[command.replace('npm run ', '')] ?? '')
  for (const workspace of published) {
    expect(builds.some((build) => build.includes(`build -w ${workspace}`))).toBe(true)
    expect(commands.find((command) => command.startsWith('npm pkg set'))).toContain(`-w ${workspace}`)
    expect(commands).toContain(`npm publish -w ${workspace} --provenance --access public`)
  }
})

test('no workspace lies directly below another: npm would run a script of the one for both', () => {
  const { workspaces } = manifestOf('.')
  expect(workspaces.filter((workspace) => workspaces.includes(dirname(workspace)))).toEqual([])
})

test('every push is tested on the oldest release of Node and on the one that the binary carries, each night on each that package.json names, and a release is made with that of the binary', () => {
  const carried = Number(/^const carried = (\d+)$/m.exec(read('bff/binary/build.mjs'))?.[1])
  const matrixOf = (workflow: string) =>
    /node: \[(.*)\]/
      .exec(read(`.github/workflows/${workflow}.yml`))?.[1]
      ?.split(', ')
      .map(Number)
  expect(matrixOf('ci')).toEqual([majorReleases[0], carried])
  expect(matrixOf('nightly')).toEqual(majorReleases)
  const table = [...read('docs/operations.md').matchAll(/^\| (\d+)(?: \(from [\d.]+\))? \| \d{4}-/gm)]
  expect(table.map(([, major]) => Number(major))).toEqual(majorReleases)
  const releases = [...read('.github/workflows/release.yml').matchAll(/node-version: (\S+)/g)].map(([, major]) => major)
  expect(new Set(releases)).toEqual(new Set([String(carried)]))
})

test('every action of a workflow is pinned by its commit, and nothing is run that npm would fetch by name alone', () => {
  const files = ['ci', 'nightly', 'release'].map((name) => read(`.github/workflows/${name}.yml`)).join('\n')
  const actions = [...files.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action)
  expect(actions.length).toBeGreaterThan(8)
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  expect(files).not.toMatch(/\bnpx\b/)
})

test('the image runs the program that was built, as nobody in particular, and asks it whether it is alive', () => {
  const { scripts } = JSON.parse(read('bff/package.json')) as { scripts: Record<string, string> }
  const built = read((scripts['build:binary'] ?? '').replace('node ', 'bff/'))
  expect(built).toContain("join(root, 'bff/dist/stablecoin-checkout')")
  expect(inImage('COPY').slice(-5)).toContain('/data')
  expect(inImage('COPY')).toContain(program)
  expect(inImage('ENTRYPOINT')).toEqual([program])
  expect(inImage('USER')).toEqual(['nonroot'])
  const check = inImage('HEALTHCHECK')
  expect(check.slice(check.indexOf('CMD') + 1)).toEqual([program, 'ready', '--alive'])
  expect(runCommand(['ready', '--alive', '--help'], {}).exitCode).toBe(0)
  expect(runCommand([...inImage('CMD'), '--help'], {}).exitCode).toBe(0)
})

test('the unit of systemd starts a command that exists, as a user of its own, and leaves a wrong configuration alone', () => {
  const settings = read('docs/deploy/stablecoin-checkout.service')
    .split('\n')
    .flatMap((line) => /^([A-Z]\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? [])
  const setting = (name: string) => settings[settings.indexOf(name) + 1]
  const [file, ...args] = (setting('ExecStart') ?? '').split(' ')
  expect(file).toBe(program)
  expect(runCommand([...args, '--help'], {}).exitCode).toBe(0)
  expect(setting('User')).toBe('checkout')
  expect(setting('Environment')).toBe(`BFF_CONFIG=/var/lib/${setting('StateDirectory')}/checkout.json`)
  const status = runCommand([], { BFF_CONFIG: `${root}no-such-file.json` }).exitCode
  expect(setting('RestartPreventExitStatus')).toBe(String(status))
})

test('the drop-in of replicas sets what the service reads, in a folder named after the unit', () => {
  const text = read('docs/deploy/replica.conf')
  expect(text).toContain('stablecoin-checkout@.service.d/')
  const variables = [...text.matchAll(/\b([A-Z]+_[A-Z]+)=/g)].map(([, name]) => name)
  expect(variables).toEqual(['BFF_PORT', 'DATABASE_URL', 'SECRETS_KEY'])
  const known = read('docs/settings.md')
  for (const name of variables) expect(known).toContain(`\`${name}\``)
  for (const port of ['8787', '8788', '8789']) {
    expect(read('docs/operations.md')).toContain(`stablecoin-checkout@${port}`)
    expect(read('docs/deploy/Caddyfile.replicas')).toContain(`127.0.0.1:${port}`)
  }
})

test.each(['Caddyfile', 'Caddyfile.replicas'])(
  '%s leads to the port that the service has where nothing is said, and asks a path that it has',
  (name) => {
    const caddyfile = read(`docs/deploy/${name}`)
    expect(caddyfile).toMatch(/reverse_proxy (\{\$CHECKOUT:)?127\.0\.0\.1:8787/)
    expect(read('bff/src/ops/config/settings.ts')).toContain('default(8787)')
    expect(read('bff/src/system/health.routes.ts')).toContain(`path: '${/health_uri \/api(\S+)/.exec(caddyfile)?.[1]}'`)
    expect(existsSync(`${root}docs/operations.md`)).toBe(true)
  },
)

test('docker-compose.yml runs the image as Caddy and the service read it', () => {
  const { services, networks, volumes } = parse(read('docker-compose.yml')) as Compose
  const { checkout, caddy, postgres } = services
  expect(checkout?.build).toBe('.')
  const names = ['DATABASE_URL', 'SECRETS_KEY']
  // The texts that say what to type next.
  const commands = ['CHECKOUT_COMMAND=docker compose run --rm checkout', 'CHECKOUT_START=docker compose up -d']
  expect(checkout?.environment).toEqual(expect.arrayContaining([...names, ...commands]))
  const [subnet] = networks.default.ipam.config
  expect(checkout?.environment).toContainEqual(expect.stringMatching(/^SETUP_PUBLIC_URL=https:\/\/\$\{DOMAIN:/))
  expect(checkout?.environment).toContain(`SETUP_TRUSTED_PROXIES=${subnet?.subnet}`)
  // What reaches the container comes from outside of it.
  expect(inImage('ENV')).toContain('BFF_HOST=0.0.0.0')
  expect(checkout?.volumes).toEqual([`checkout:${inImage('VOLUME')[0]}`])
  // The binary loads SQLite from there, which Docker forbids by default.
  expect(checkout).toMatchObject({ read_only: true, tmpfs: ['/tmp:exec'] })
  expect(caddy?.environment).toEqual({ DOMAIN: expect.any(String), CHECKOUT: 'checkout:8787' })
  const [mount = ''] = caddy?.volumes ?? []
  const [caddyfile = ''] = mount.split(':')
  for (const name of ['DOMAIN', 'CHECKOUT']) expect(read(caddyfile)).toContain(`{$${name}:`)
  expect(read('docs/go-live.md')).toContain(`--trusted-proxy ${networks.default.ipam.config[0]?.subnet}`)
  expect(postgres?.profiles).toEqual(['postgres'])
  const used = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(':')[0] ?? ''))
  expect(new Set(used.filter((name) => !name.startsWith('.')))).toEqual(new Set(Object.keys(volumes)))
})

const image = `ghcr.io/stablecoin-checkout/stablecoin-checkout:v${manifestOf('.').version}`

/** What Umbrel's own linter of app packages asks for: https://github.com/getumbrel/umbrel-apps */
test('the package for Umbrel has every field, asks for nothing that Umbrel refuses, and reaches the image as it is', () => {
  const id = 'stablecoin-checkout'
  const folder = `docs/deploy/umbrel/${id}`
  const manifest = parse(read(`${folder}/umbrel-app.yml`)) as Record<string, unknown>
  const texts = ['name', 'tagline', 'description', 'developer', 'submitter', 'version']
  for (const name of texts) expect(manifest[name], name).toMatch(/\S/)
  for (const name of ['website', 'repo', 'support', 'submission']) expect(manifest[name], name).toMatch(/^https:\/\//)
  expect(manifest).toMatchObject({ manifestVersion: 1, id, category: 'finance', version: manifestOf('.').version })
  // A first submission has neither notes nor pictures.
  expect(manifest).toMatchObject({ port: 8787, path: '/dashboard', dependencies: [], gallery: [], releaseNotes: '' })

  type AppCompose = { services: Record<string, Record<string, unknown>> }
  const { services, ...others } = parse(read(`${folder}/docker-compose.yml`)) as AppCompose
  expect(others).toEqual({})
  expect(Object.keys(services)).toEqual(['app_proxy', 'web'])
  expect(services['app_proxy']).toEqual({
    environment: { APP_HOST: `${id}_web_1`, APP_PORT: Number(inImage('EXPOSE')[0]), PROXY_AUTH_ADD: 'false' },
  })
  const { web = {} } = services
  expect(web['volumes']).toEqual([`\${APP_DATA_DIR}/data:${inImage('VOLUME')[0]}`])
  expect(isTracked(`${folder}/data/.gitkeep`)).toBe(true)
  expect(web).toMatchObject({ image, restart: 'on-failure', user: '1000:1000', read_only: true, tmpfs: ['/tmp:exec'] })
  const refused = ['build', 'ports', 'privileged', 'network_mode', 'container_name', 'devices', 'cap_add']
  expect(Object.keys(web).filter((name) => refused.includes(name))).toEqual([])
})

/** The limits of the types and docstrings of @start9labs/start-sdk, version 2.0.9. */
test('the package for StartOS keeps to the limits of its manifest, and calls the image as it is', async () => {
  const folder = 'docs/deploy/start9'
  const text = read(`${folder}/startos/manifest.ts`).replace(/^import .*$/m, 'const setupManifest = (given) => given')
  const { manifest } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    manifest: Record<string, unknown> & { description: { short: string; long: string } }
  }
  expect(manifest).toMatchObject({ id: 'stablecoin-checkout', license: 'MIT', volumes: ['main'], dependencies: {} })
  expect(manifest['images']).toEqual({ main: { source: { dockerTag: image }, arch: ['x86_64', 'aarch64'] } })
  for (const name of ['packageRepo', 'upstreamRepo', 'marketingUrl']) expect(manifest[name]).toMatch(/^https:\/\//)
  expect(manifest.description.short.length).toBeLessThanOrEqual(80)
  expect(manifest.description.long.length).toBeLessThanOrEqual(500)

  const calls = read(`${folder}/startos/index.ts`)
  for (const name of ['actions', 'createBackup', 'init', 'main', 'manifest', 'uninit']) {
    expect(calls, name).toMatch(new RegExp(`export const (\\{ )?${name}\\b`))
  }
  expect(calls).toContain(`const program = '${program}'`)
  expect(calls).toContain(`const port = ${inImage('EXPOSE')[0]}\n`)
  expect(calls).toContain(`mountpoint: '${inImage('VOLUME')[0]}'`)
  expect(calls).toContain(`version: '${manifestOf('.').version}:0'`)
  const help = runCommand(['init', '--help'], {}).stdout
  const options = [...calls.matchAll(/'(--[a-z-]+)'/g)].map(([, option = '']) => option)
  expect(options).toEqual(['--name', '--public-url', '--network', '--wallet', '--folder'])
  for (const option of options) expect(help).toContain(`${option} <`)
})

test('the workflows run only what a reader can run by hand', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of ['ci.yml', 'nightly.yml', 'release.yml']) {
    const text = read(`.github/workflows/${name}`)
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(script)
    for (const [, path = ''] of text.matchAll(/run: bash (\S+)/g)) expect(isTracked(path)).toBe(true)
    expect(text).toContain('bash .ci/run')
  }
})
