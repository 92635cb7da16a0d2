import { expect, test } from 'vitest'
import { tooManyUnread } from './unread-responses.ts'

const unread = (connection: string, network: string | null, bytes: number) => ({ connection, network, bytes })

test('nothing is closed up to the bound', () => {
  expect(tooManyUnread([unread('a', 'n', 60), unread('b', 'n', 40)], 100)).toEqual([])
  expect(tooManyUnread([], 0)).toEqual([])
})

test('of the network with the most the connections with the most are closed, so that a flood closes its own', () => {
  const flood = [unread('f1', 'flood', 40), unread('f2', 'flood', 30), unread('f3', 'flood', 20)]
  const customer = unread('c', 'customer', 50)
  expect(tooManyUnread([customer, ...flood], 139)).toEqual(['f1'])
  expect(tooManyUnread([customer, ...flood], 99)).toEqual(['f1', 'c'])
  expect(tooManyUnread([customer, ...flood], 0)).toEqual(['f1', 'c', 'f2', 'f3'])
})

test('connections of trusted proxies, which carry the responses of everybody, are closed last', () => {
  const proxy = [unread('p1', null, 90), unread('p2', null, 80)]
  expect(tooManyUnread([...proxy, unread('c', 'customer', 10)], 170)).toEqual(['c'])
  expect(tooManyUnread([...proxy, unread('c', 'customer', 10)], 80)).toEqual(['c', 'p1'])
})

test('connections without unread bytes are left alone, also when only the proxies have unread ones', () => {
  const unread = [
    { connection: 'health check', network: 'a', bytes: 0 },
    { connection: 'customer', network: 'b', bytes: 0 },
    { connection: 'of a proxy', network: null, bytes: 7 },
    { connection: 'another of it', network: null, bytes: 0 },
  ]
  expect(tooManyUnread(unread, 5)).toEqual(['of a proxy'])
})
