// What StartOS calls: https://docs.start9.com/packaging
import { buildManifest, IMPOSSIBLE, StartSdk, VersionGraph, VersionInfo } from '@start9labs/start-sdk'
import { manifest as parts } from './manifest'

const sdk = StartSdk.of().withManifest(parts).build(true)
const { InputSpec, Value } = sdk
const port = 8787
const program = '/usr/local/bin/stablecoin-checkout'

const mounts = () =>
  sdk.Mounts.of().mountVolume({ volumeId: 'main', subpath: null, mountpoint: '/data', readonly: false })

const text = (name: string, description: string, placeholder: string) =>
  Value.text({ name, description, placeholder, required: true, default: null })

const settings = InputSpec.of({
  name: text('Shop', 'As customers see it', 'Corner Coffee'),
  publicUrl: text('Public address', 'Where customers reach this service', 'https://pay.example'),
  network: text('Network', 'The network to accept, and its RPC node', 'base=https://mainnet.base.org'),
  wallet: text('Wallet', 'The wallet that is paid on this network', 'base=0x…'),
})

/** Runs `init`, which overwrites nothing. Its output has the keys, which are shown this once. */
const create = sdk.Action.withInput(
  'create',
  {
    name: 'Create the service',
    description: 'Creates configuration, database, merchant and sealed secrets, and shows the keys once',
    warning: null,
    allowedStatuses: 'only-stopped',
    group: null,
    visibility: 'enabled',
  },
  settings,
  async () => null,
  async ({ effects, input }) => {
    const { name, publicUrl, network, wallet } = input
    const options = ['--name', name, '--public-url', publicUrl, '--network', network, '--wallet', wallet]
    const run = (container: { execFail(command: string[]): Promise<{ stdout: string | Buffer }> }) =>
      container.execFail([program, 'init', '--folder', '/data', ...options])
    const { stdout } = await sdk.SubContainer.withTemp(effects, { imageId: 'main' }, mounts(), 'create', run)
    return {
      version: '1',
      title: 'Created',
      message: 'Store these keys now: they are not shown again. Then start the service.',
      result: { type: 'single', value: String(stdout), copyable: true, qr: false, masked: true },
    }
  },
)

export const actions = sdk.Actions.of().addAction(create)

export const main = sdk.setupMain(async ({ effects }) =>
  sdk.Daemons.of(effects).addDaemon('primary', {
    subcontainer: await sdk.SubContainer.of(effects, { imageId: 'main' }, mounts(), 'service'),
    exec: { command: sdk.useEntrypoint(['serve']) },
    ready: {
      display: 'Payments',
      fn: () =>
        sdk.healthCheck.checkWebUrl(effects, `http://127.0.0.1:${port}/api/ready`, {
          successMessage: 'Payments can be taken',
          errorMessage: 'No payment can be taken: see the log',
        }),
    },
    requires: [],
  }),
)

const setInterfaces = sdk.setupInterfaces(async ({ effects }) => {
  const host = await sdk.MultiHost.of(effects, 'web').bindPort(port, { protocol: 'http' })
  const page = (id: string, name: string, description: string, type: 'ui' | 'api', path: string) =>
    sdk.createInterface(effects, {
      id,
      name,
      description,
      type,
      path,
      masked: false,
      schemeOverride: null,
      username: null,
      query: {},
    })
  const dashboard = page('dashboard', 'Dashboard', 'Payments, links, webhooks and settings', 'ui', '/dashboard')
  const api = page('api', 'API', 'For your shop and its customers', 'api', '/')
  return [await host.export([dashboard, api])]
})

const version = VersionInfo.of({
  version: '0.1.0:0',
  releaseNotes: 'First release.',
  migrations: { up: async () => {}, down: IMPOSSIBLE },
})
const versions = VersionGraph.of({ current: version, other: [] })

export const { createBackup, restoreInit } = sdk.setupBackups(async () => sdk.Backups.ofVolumes('main'))
const setDependencies = sdk.setupDependencies(async () => ({}))
export const init = sdk.setupInit(restoreInit, versions, setInterfaces, setDependencies, actions)
export const uninit = sdk.setupUninit(versions)
export const manifest = buildManifest(versions, parts)
