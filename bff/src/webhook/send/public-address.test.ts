import { expect, test } from 'vitest'

/** Loaded in the test, so that a list that cannot be read fails the test and not only its file. */
const load = async () => (await import('./public-address.ts')).isPublicAddress

/** First and last address of each range that nobody on the internet has, and what is just outside of it. */
test.each([
  ['this network', '0.0.0.0', '0.255.255.255', ['1.0.0.0']],
  ['private', '10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
  ['shared by providers', '100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
  ['the own machine', '127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
  ['the host of machines at Azure', '168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
  ['link local', '169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
  ['private', '172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
  ['documentation', '192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
  ['AS112', '192.31.196.0', '192.31.196.255', ['192.31.195.255', '192.31.197.0']],
  ['AMT', '192.52.193.0', '192.52.193.255', ['192.52.192.255', '192.52.194.0']],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
  ['private', '192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
  ['AS112', '192.175.48.0', '192.175.48.255', ['192.175.47.255', '192.175.49.0']],
  ['measurements', '198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
  ['documentation', '198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
  ['documentation', '203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
  ['multicast', '224.0.0.0', '239.255.255.255', ['223.255.255.255']],
  ['reserved', '240.0.0.0', '255.255.255.255', []],
  ['outside of what is handed out', '::', '1fff:ffff::1', ['2003::1']],
  ['outside of what is handed out', '4000::', 'ffff::1', ['2a00::1']],
  ['protocol assignments', '2001::', '2001:1ff:ffff::1', ['2001:200::']],
  ['documentation', '2001:db8::', '2001:db8:ffff::1', ['2001:db7:ffff::1', '2001:db9::']],
  ['6to4', '2002::', '2002:ffff::1', ['2003::']],
  ['documentation', '3fff::', '3fff:fff:ffff::1', ['3ffe::1', '3fff:1000::']],
])('%s: from %s to %s is not public, and what is just outside is', async (_, first, last, outside) => {
  const isPublicAddress = await load()
  expect([first, last].map(isPublicAddress)).toEqual([false, false])
  expect(outside.map(isPublicAddress)).toEqual(outside.map(() => true))
})

test.each(['shop.example', '', '8.8.8', '8.8.8.8/32', '[2a00::1]'])(
  '"%s" is no address, and so not public',
  async (text) => {
    expect((await load())(text)).toBe(false)
  },
)
