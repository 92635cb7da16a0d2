import { expect, test } from 'vitest'
import { calledAs } from './called-as.ts'

const folder = '/home/ann/shop'
const env = { PATH: '/usr/bin:/usr/local/bin' }

test.each([
  ['a binary on the path', { argv0: 'stablecoin-checkout', script: undefined }, 'stablecoin-checkout'],
  ['a binary by its path', { argv0: './bff/dist/checkout', script: undefined }, './bff/dist/checkout'],
  [
    'a binary in a folder with a space',
    { argv0: "/opt/my 'shop'/run", script: undefined },
    `'/opt/my '\\''shop'\\''/run'`,
  ],
  ['a script near by', { argv0: 'node', script: '/home/ann/shop/dist/main.js' }, 'node dist/main.js'],
  ['a script far away', { argv0: 'node', script: '/srv/main.js' }, 'node /srv/main.js'],
  ['a link on the path', { argv0: 'node', script: '/usr/local/bin/checkout' }, 'checkout'],
  ['a link elsewhere', { argv0: 'node', script: '/opt/bin/checkout' }, '/opt/bin/checkout'],
])('%s', (_, called, command) => {
  expect(calledAs({ ...called, folder, env })).toEqual({ command, start: null })
})

test('npx, and a container that says how it is started', () => {
  const script = '/home/ann/.npm/_npx/1/node_modules/.bin/stablecoin-checkout'
  const npx = { argv0: 'node', script, folder, env: { ...env, npm_command: 'exec' } }
  expect(calledAs(npx)).toEqual({ command: 'npx stablecoin-checkout', start: null })
  const compose = { CHECKOUT_COMMAND: 'docker compose run --rm checkout', CHECKOUT_START: 'docker compose up -d' }
  expect(calledAs({ argv0: '/usr/local/bin/x', script: undefined, folder, env: compose })).toEqual({
    command: 'docker compose run --rm checkout',
    start: 'docker compose up -d',
  })
})
