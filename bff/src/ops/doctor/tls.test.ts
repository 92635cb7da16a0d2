import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examineService } from './examine-service.ts'

/** For this test only: nobody trusts it. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGqghJ0ZE9HXql9DK
gjl4hym1iAC76PfTQJiEqhVQ+YGhRANCAAQk+3S9Tb/OfwESokW5+vVLQc6mqOGu
shfoeDsAusSIP2nJLr8pW4bMdiE5nwybcdb7eCrmNFZTK75O6D6c0ZJp
-----END PRIVATE KEY-----`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBXTCCAQKgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w
LjEwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjEwMjgxODA4MjBaMBQxEjAQBgNVBAMM
CTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCT7dL1Nv85/ARKi
Rbn69UtBzqao4a6yF+h4OwC6xIg/ackuvylbhsx2ITmfDJtx1vt4KuY0VlMrvk7o
PpzRkmmjQzBBMB0GA1UdDgQWBBTe6wOD1iegqdMq23ymn7ea9J0/ZjAPBgNVHRMB
Af8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhAOuw
EHP7kcR1Slh4D1JdD8BFh5cMDLoY64xt7VwOuDaDAiEAiwyvTG5a6wuMhRriR/Ym
QdagrzLVUuTNXlPeBFrZz3A=
-----END CERTIFICATE-----`

/** Its expiry. */
const endsMs = Date.parse('2126-10-28T18:08:20Z')
const dayMs = 24 * 60 * 60 * 1000

let url: string
const server = createServer({ key, cert: certificate }, (_, response) => {
  response.writeHead(200, {
    ...{ 'x-api-version': 'v1', 'access-control-allow-origin': '*' },
    'access-control-allow-headers': 'Content-Type, X-Public-Key, Idempotency-Key',
  })
  response.end('{}')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const examine = (nowMs: number, ca?: string, trustedProxies: string[] = ['127.0.0.1']) =>
  examineService({
    publicUrl: url,
    ownUrl: 'http://127.0.0.1:8787',
    trustedProxies,
    nowMs: () => nowMs,
    instances: null,
    ca,
  })

test('a certificate that browsers refuse is bad', async () => {
  expect(await examine(Date.now())).toMatchObject([
    { check: 'tls', state: 'bad', says: expect.stringMatching(/refuse \(DEPTH_ZERO_SELF_SIGNED_CERT\)/) },
  ])
})

test('a certificate about to expire is a warning', async () => {
  const states = async (nowMs: number) =>
    (await examine(nowMs, certificate)).map(({ check, state }) => `${check} ${state}`)
  expect(await states(endsMs - 15 * dayMs)).toEqual(['public url good', 'tls good', 'cors good'])
  expect(await states(endsMs - 13 * dayMs)).toEqual(['public url good', 'tls warning', 'cors good'])
})

test('a service behind an untrusted proxy is a warning: all customers count as one', async () => {
  expect((await examine(Date.now(), certificate, [])).at(-1)).toMatchObject({ check: 'proxy', state: 'warning' })
})
